import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

export type Chunk = string | Uint8Array

interface Pumped {
  first: IteratorResult<Chunk>
  /** the chunk after the last one */
  next: () => Promise<IteratorResult<Chunk>>
  /** the response, or what passes everything on to it */
  into: Writable
  response: Writable
  /** called with each chunk that has left, so that its memory may be used again */
  done: ((chunk: Uint8Array) => void) | undefined
}

/**
 * Sends chunk after chunk, each while the next one is being made, as fast as the client takes them. Rejects when making
 * fails or the client goes. Unlike a pipeline it knows when a chunk has left.
 */
export async function pump({ first, next, into, response, done }: Pumped): Promise<void> {
  const whileOpen = untilClosed(response)
  for (let step = first; !step.done; ) {
    const { value } = step
    const [following] = await whileOpen(Promise.all([next(), written(into, value)]))
    if (typeof value !== 'string') done?.(value)
    step = following
  }
  into.end()
  await finished(response)
}

function written(into: Writable, chunk: Chunk): Promise<void> {
  return new Promise((resolve, reject) => {
    into.write(chunk, (cause) => (cause ? reject(cause) : resolve()))
  })
}

/** Gives up waiting for a piece of work when the response closes: nobody may ever be called back then. */
function untilClosed(response: Writable): <T>(work: Promise<T>) => Promise<T> {
  let giveUp: (cause: Error) => void = () => undefined
  const cut = () => new Error('the connection closed before the end of the answer')
  response.once('close', () => giveUp(cut()))
  return (work) =>
    new Promise((resolve, reject) => {
      giveUp = reject
      if (response.closed) reject(cut())
      work.then(resolve, reject)
    })
}
