import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into measured processes (`node --import`): on its way out each tells its peak memory in KB and how long its
// event loop was held up at most, in milliseconds.
const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
// Reading the modules at the start holds everything up, and nobody waits yet.
setTimeout(() => delay.enable(), 1_000).unref()
process.on('exit', () => {
  const blockedMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
  process.stderr.write(`told ${process.resourceUsage().maxRSS} ${blockedMs.toFixed(1)}\n`)
})
