import type { Progress } from '../load/context.ts'

const EVERY_MS = 200

/** One line that is written over, on a terminal only; scripts see nothing of it. */
export function progressLine(): { show: (progress: Progress) => void; clear: () => void } {
  if (!process.stderr.isTTY) return { show: () => undefined, clear: () => undefined }
  let shownAt = 0
  const width = () => process.stderr.columns ?? 80
  return {
    show({ territory_code, stage, done }) {
      const now = Date.now()
      if (now - shownAt < EVERY_MS) return
      shownAt = now
      const text = `${territory_code}: ${stage}${done > 0 ? ` ${done.toLocaleString('en')}` : ''}…`
      process.stderr.write(`\r${text.slice(0, width() - 1).padEnd(width() - 1)}`)
    },
    clear() {
      if (shownAt > 0) process.stderr.write(`\r${' '.repeat(width() - 1)}\r`)
      shownAt = 0
    },
  }
}
