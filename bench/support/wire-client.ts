import { connect, type Socket } from 'node:net'
import type { Asked } from './http.ts'

/** Status and size of an answer that was read to its end. */
export interface Received {
  status: number
  bytes: number
}

/**
 * An HTTP client that does next to nothing: one request at a time on one connection, the answer counted and thrown
 * away. On a machine of two cores a comfortable client takes as much of them as the server that is measured.
 */
export interface WireClient {
  ask(asked: Asked): Promise<Received>
  close(): void
}

const HEAD_END = '\r\n\r\n'
const LINE_END_BYTES = 2
const READ_BYTES = 1 << 16

export function openWireClient(base: string, headers: Record<string, string>): WireClient {
  const { hostname, port } = new URL(base)
  const fixed = Object.entries({ Host: `${hostname}:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const take = (size: number, chunk: Uint8Array): boolean => {
    const received = answer?.(Buffer.from(chunk.buffer, chunk.byteOffset, size))
    if (received) settle?.resolve(received)
    return true
  }
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    // Read into the same memory: a client with garbage to collect would be what the slowest answers are slow by.
    onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: take },
  })
  let answer: ReturnType<typeof reader> | null = null
  let settle: PromiseWithResolvers<Received> | null = null
  const fail = (cause: Error) => settle?.reject(cause)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server hung up')))
  return {
    async ask(asked) {
      // Nothing more comes from it, not even that it closed.
      if (socket.destroyed) throw new Error('the server has hung up')
      answer = reader()
      settle = Promise.withResolvers()
      send(socket, fixed, asked)
      return settle.promise
    },
    close: () => socket.destroy(),
  }
}

function send(socket: Socket, fixed: string, { path, body }: Asked): void {
  if (body === undefined) {
    socket.write(`GET ${path} HTTP/1.1\r\n${fixed}\r\n`)
    return
  }
  const length = Buffer.byteLength(body)
  socket.write(
    `POST ${path} HTTP/1.1\r\n${fixed}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
  )
}

/** Takes an answer piece by piece; gives what it was once it is whole. */
function reader(): (chunk: Buffer) => Received | null {
  let head = ''
  let status = 0
  let isWhole: ((chunk: Buffer) => boolean) | null = null
  let bytes = 0
  return (chunk) => {
    let rest = chunk
    if (!isWhole) {
      const before = head.length
      head += chunk.toString('latin1')
      const end = head.indexOf(HEAD_END)
      if (end < 0) return null
      status = Number(head.slice(9, 12))
      rest = chunk.subarray(end + HEAD_END.length - before)
      isWhole = bodyOf(head.slice(0, end + 2))
    }
    bytes += rest.length
    return isWhole(rest) ? { status, bytes } : null
  }
}

/** Whether the body is whole with these bytes, as its length or its chunks say. */
function bodyOf(head: string): (chunk: Buffer) => boolean {
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
  if (length !== undefined) {
    let left = Number(length)
    return (chunk) => {
      left -= chunk.length
      return left === 0
    }
  }
  if (!/\r\ntransfer-encoding: chunked\r\n/i.test(head)) throw new Error(`no length: ${head}`)
  return chunkedBody()
}

/** A chunk is a line with its size, so many bytes and a line end; the last one is empty. */
function chunkedBody(): (bytes: Buffer) => boolean {
  let sizeLine = ''
  /** of the present chunk and its line end; null while its size is read */
  let left: number | null = null
  let isLast = false

  const skip = (available: number): number => {
    const step = Math.min(left ?? 0, available)
    left = (left ?? 0) - step
    if (left === 0 && !isLast) left = null
    return step
  }
  const readSize = (bytes: Buffer, at: number): number => {
    const end = bytes.indexOf(0x0a, at)
    const to = end < 0 ? bytes.length : end + 1
    sizeLine += bytes.toString('latin1', at, to)
    if (end < 0) return to
    const size = Number.parseInt(sizeLine, 16)
    sizeLine = ''
    isLast = size === 0
    left = size + LINE_END_BYTES
    return to
  }
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      at = left === null ? readSize(bytes, at) : at + skip(bytes.length - at)
    }
    return isLast && left === 0
  }
}
