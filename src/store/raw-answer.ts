import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { errors } from '@elastic/elasticsearch'
import type { ByteWriter } from '../domain/byte-writer.ts'
import { unavailableAsProblem } from './db.ts'

/**
 * An answer of which only the status is known: good, or a refusal. The client leaves statuses and retries of a streamed
 * answer to its caller; asked again without a stream, it sees to them.
 */
export interface RawAnswer {
  answer: Readable
  isGood: boolean
}

/** Waits for the status of what was asked for as a stream. */
export async function beginAnswer(
  asked: Promise<{ statusCode: number | null; body: unknown }>,
): Promise<RawAnswer> {
  const { statusCode, body } = await unavailableAsProblem(asked)
  return { answer: body as Readable, isGood: statusCode === 200 }
}

/** With a listener: an answer comes in many chunks, and walking a stream costs a turn of the event loop for each. */
export async function readAnswer(answer: Readable, into: ByteWriter): Promise<void> {
  answer.on('data', into.write)
  await unavailableAsProblem(whole(answer))
}

async function whole(answer: Readable): Promise<void> {
  try {
    // Also tells of a stream that broke off before anybody listened.
    await finished(answer)
  } catch (cause) {
    throw new errors.ConnectionError(`The answer broke off: ${(cause as Error).message}`)
  }
}
