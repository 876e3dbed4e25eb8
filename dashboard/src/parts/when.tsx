import { formatDate, formatInstant, formatUtc } from '../text/format.ts'

/** An instant in the user's zone, in UTC on hover. */
export function When({ instant, dateOnly = false }: { instant: string; dateOnly?: boolean }) {
  return (
    <time dateTime={instant} title={formatUtc(instant)}>
      {dateOnly ? formatDate(instant) : formatInstant(instant)}
    </time>
  )
}
