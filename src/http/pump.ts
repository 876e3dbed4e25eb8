import type { Writable } from 'node:stream'

interface Pumped {
  first: IteratorResult<Uint8Array>
  /** the chunk after the last one */
  next: () => Promise<IteratorResult<Uint8Array>>
  response: Writable
  /** called with each chunk that has left, so that its memory may be used again */
  done: ((chunk: Uint8Array) => void) | undefined
}

/**
 * Sends chunk after chunk, each while the next one is being made, as fast as the client takes them. Rejects when making
 * fails or the client goes. Unlike a pipeline it knows when a chunk has left.
 */
export async function pump({ first, next, response, done }: Pumped): Promise<void> {
  const watch = watchClose(response)
  for (let step = first; !step.done; ) {
    const { value } = step
    const [following] = await watch.whileOpen(Promise.all([next(), left(response, value)]))
    done?.(value)
    step = following
  }
  response.end()
  await watch.closed
  if (!response.writableFinished) throw cut()
}

/** Never settles when writing fails: that closes the response, which tells who waits for this. */
function left(response: Writable, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(chunk, (failure) => {
      if (!failure) resolve()
    })
  })
}

function cut(): Error {
  return new Error('the connection closed before the end of the answer')
}

function watchClose(response: Writable) {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  let giveUp: (cause: Error) => void = () => undefined
  response.once('close', () => {
    resolve()
    giveUp(cut())
  })
  if (response.closed) resolve()
  return {
    closed,
    /** the outcome of a piece of work, unless the response closes first: nobody may ever be called back then */
    whileOpen: <T>(work: Promise<T>) =>
      new Promise<T>((settle, reject) => {
        giveUp = reject
        if (response.closed) reject(cut())
        work.then(settle, reject)
      }),
  }
}
