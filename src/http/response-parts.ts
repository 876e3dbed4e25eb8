import Type from 'typebox'

/** The path of an endpoint without path parameters. */
export const NoPath = Type.Object({})

/** The resolved window, echoed. */
export const WindowShown = {
  from: Type.String({
    format: 'date-time',
    description: 'Start of the window that was used, inclusive, ISO 8601 UTC.',
  }),
  to: Type.String({
    format: 'date-time',
    description: 'End of the window that was used, exclusive, ISO 8601 UTC.',
  }),
}

/** The cursor that listings return. */
export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description:
    'Send it as cursor, with the same parameters, for the next page; null exactly when nothing follows.',
})

/** An instant that may be unknown. */
export const nullableInstant = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
