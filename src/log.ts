import { destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'

export type Log = Logger

/** Paths that could carry a secret; they are cut out whoever logs them. */
const SECRETS = [
  'key',
  'api_key',
  'apiKey',
  'password',
  'authorization',
  'headers.authorization',
  'headers["x-api-key"]',
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'err.meta.meta.request.params.headers.authorization',
]

/** The one logger: JSON lines on standard error, so that standard output stays free for answers. */
export function buildLog({ level }: { level: string }): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '[secret]' },
      serializers: { err: stdSerializers.err },
    },
    // Synchronous, like Node's own output: the other way, a process whose reader has left would try for ever to write
    // its last lines when it ends.
    destination({ dest: 2, sync: true }),
  )
}
