import type { Progress } from '../../client/mirror-options.ts'

const EVERY_MS = 100
const BAR_CHARS = 30
const LABELS: Record<Progress['step'], string> = {
  export: 'taking over',
  changes: 'changes',
  verify: 'comparing',
}

/** A bar on one line that is written over, on a terminal only; scripts see nothing of it. */
export function progressBar(): { show(progress: Progress): void; clear(): void } {
  if (!process.stderr.isTTY) return { show: () => undefined, clear: () => undefined }
  let shownAt = 0
  const width = () => (process.stderr.columns ?? 80) - 1
  return {
    show(progress) {
      const now = Date.now()
      if (now - shownAt < EVERY_MS) return
      shownAt = now
      process.stderr.write(`\r${barText(progress).slice(0, width()).padEnd(width())}`)
    },
    clear() {
      if (shownAt > 0) process.stderr.write(`\r${' '.repeat(width())}\r`)
      shownAt = 0
    },
  }
}

export function barText({ step, territory, done, total }: Progress): string {
  const share = total === 0 ? 0 : Math.min(1, done / total)
  const full = Math.round(share * BAR_CHARS)
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_CHARS - full)}`
  const numbers = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
  return `${territory ?? '     '} ${LABELS[step].padEnd(11)} ${bar} ${Math.floor(share * 100)} %  ${numbers}`
}
