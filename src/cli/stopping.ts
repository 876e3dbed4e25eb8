/** One press of Ctrl-C can arrive several times: from the terminal, and passed on by npm. */
const ONE_PRESS_MS = 1000
const ENDED_BY_SIGNAL = 130

/** Aborted at the first SIGINT or SIGTERM. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  void untilAskedToStop().then(() => stopping.abort())
  return stopping.signal
}

/** Resolves at the first SIGINT or SIGTERM; at a second one, pressed later, the process ends as it is. */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const stop = () => {
      asked ??= Date.now()
      if (Date.now() - asked > ONE_PRESS_MS) process.exit(ENDED_BY_SIGNAL)
      resolve()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
