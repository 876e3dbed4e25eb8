/**
 * A parser that is fed text and gives back what is complete so far. Synchronous, so that reading costs one promise
 * per chunk of text and not one per record.
 */
export interface PushParser<T> {
  write(text: string): T[]
  /** Throws when the text stopped inside a record. */
  end(): T[]
}

/** The batches of records of a text. */
export async function* parseText<T>(
  text: AsyncIterable<string>,
  parser: PushParser<T>,
): AsyncGenerator<T[]> {
  for await (const chunk of text) {
    const records = parser.write(chunk)
    if (records.length > 0) yield records
  }
  const last = parser.end()
  if (last.length > 0) yield last
}
