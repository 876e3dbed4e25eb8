// Runs a file or an installed tool of this project with a Node.js that can: `node scripts/run.mjs src/cli.ts keys list`,
// `node scripts/run.mjs vitest run`. It is plain JavaScript for old Nodes, and uses nothing that must be installed,
// because it is what installs: in a fresh clone the first `npm start` comes through here.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Runs .ts files without a flag, and is what the strictest of the packages asks for. */
const OLDEST_NODE = [22, 19]
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const INSTALL_LIMIT_MS = 15 * 60_000

await installWhenStale()
run(process.argv.slice(2))

/** `npm ci` when node_modules is missing or does not hold what package-lock.json asks for. One installer at a time. */
async function installWhenStale() {
  if (!isStale()) return
  const lock = join(tmpdir(), `pharmacy-registry-install-${sha256(ROOT).slice(0, 16)}.lock`)
  const release = await takeLock(lock)
  try {
    if (isStale()) install()
  } finally {
    release()
  }
}

function isStale() {
  const wanted = packagesOf(join(ROOT, 'package-lock.json'))
  const present = packagesOf(join(ROOT, 'node_modules', '.package-lock.json'))
  if (!present) return true
  if (!canRunTypeScript(process.version) && !existsSync(pinnedNode())) return true
  return Object.entries(wanted ?? {}).some(
    ([path, entry]) =>
      path !== '' &&
      !entry.optional &&
      !entry.devOptional &&
      present[path]?.version !== entry.version,
  )
}

function packagesOf(file) {
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/** npm speaks on stderr only: the standard output belongs to the command that was asked for. */
function install() {
  process.stderr.write('Installing packages (npm ci)…\n')
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts=false'],
    { cwd: ROOT, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' },
  )
  if (status === 0) return
  process.stderr.write(`npm ci failed${error ? `: ${error.message}` : ''}; nothing was started.\n`)
  process.exit(1)
}

async function takeLock(file) {
  for (;;) {
    try {
      const descriptor = openSync(file, 'wx')
      writeSync(descriptor, String(process.pid))
      closeSync(descriptor)
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(file)) rmSync(file, { force: true })
    else await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

function isAbandoned(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > INSTALL_LIMIT_MS) return true
    const pid = Number(readFileSync(file, 'utf8'))
    return pid > 0 && !isAlive(pid)
  } catch {
    return false // it went away between two looks
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Starts the command and stands in for it: same streams, signals passed on, same end. */
function run([command, ...rest]) {
  if (command === undefined) {
    process.stderr.write('usage: node scripts/run.mjs [--watch] FILE.ts|TOOL [ARGUMENT…]\n')
    process.exit(2)
  }
  const node = canRunTypeScript(process.version) ? process.execPath : pinnedNode()
  const isFile = command.startsWith('-') || /\.(ts|mjs)$/.test(command)
  const target = isFile ? command : join(ROOT, 'node_modules', '.bin', command)
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', target, ...rest], {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: [dirname(node), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    },
  })
  passSignals(child)
  stopWithNpm(child)
  child.on('error', (error) => {
    process.stderr.write(`${command} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

/**
 * A Ctrl-C reaches the whole process group and npm passes its copy on as well, so one press can arrive here several
 * times: within a second it counts once.
 */
function passSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    let last = 0
    process.on(signal, () => {
      const now = Date.now()
      if (now - last > 1000) child.kill(signal)
      last = now
    })
  }
}

/** When npm is killed outright nobody is left to stop the command: this process sees its parent change and does. */
function stopWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, 1000)
  timer.unref()
}

function pinnedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(ROOT, 'node_modules', 'node', 'bin', name)
}

function canRunTypeScript(version) {
  const [major, minor] = version.slice(1).split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex')
}
