import { print, say } from './cli/output.ts'
import type { Runtime } from './cli/runtime.ts'
import { maskedConfig, readConfig } from './config.ts'
import { OperatorError } from './domain/problem.ts'

interface Command {
  run(runtime: Runtime, args: readonly string[]): Promise<number>
  help: string
}

interface OfflineCommand {
  run(args: readonly string[]): Promise<number>
  help: string
}

/** Commands that work on an open registry. Each is read only when it is needed: a load has no use for the server. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => {
    const { serveCommand: run, SERVE_HELP: help } = await import('./cli/serve.ts')
    return { run, help }
  },
  loader: async () => {
    const { loaderCommand: run, LOADER_HELP: help } = await import('./cli/serve.ts')
    return { run, help }
  },
  load: async () => {
    const { loadCommand: run, LOAD_HELP: help } = await import('./cli/load.ts')
    return { run, help }
  },
  runs: async () => {
    const { runsCommand: run, RUNS_HELP: help } = await import('./cli/runs.ts')
    return { run, help }
  },
  keys: async () => {
    const { keysCommand: run, KEYS_HELP: help } = await import('./cli/keys.ts')
    return { run, help }
  },
  setup: async () => {
    const { setupCommand: run, SETUP_HELP: help } = await import('./cli/setup.ts')
    return { run, help }
  },
  demo: async () => {
    const { demoCommand: run, DEMO_HELP: help } = await import('./cli/demo.ts')
    return { run, help }
  },
  verify: async () => {
    const { verifyCommand: run, VERIFY_HELP: help } = await import('./cli/verify.ts')
    return { run, help }
  },
}

/** Commands that need no Elasticsearch. */
const OFFLINE: Record<string, () => Promise<OfflineCommand>> = {
  sources: async () => {
    const { sourcesCommand: run, SOURCES_HELP: help } = await import('./cli/sources.ts')
    return { run, help }
  },
  mirror: async () => {
    const { mirrorCommand: run, MIRROR_HELP: help } = await import('./cli/mirror.ts')
    return { run, help }
  },
  config: async () => ({
    run: configCommand,
    help: 'config     prints the effective settings, secrets masked',
  }),
}

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  const [name = '--help', ...args] = argv
  if (['--help', '-h', 'help'].includes(name)) {
    print(await helpForAll())
    return 0
  }
  try {
    return await runCommand(name, args)
  } catch (cause) {
    if (!(cause instanceof OperatorError)) throw cause
    say(cause.message)
    return 1
  }
}

async function helpForAll(): Promise<string> {
  const commands = await Promise.all(
    [...Object.values(COMMANDS), ...Object.values(OFFLINE)].map((read) => read()),
  )
  return `Pharmacy Registry Service: operator commands

${commands.map(({ help }) => help.replaceAll(/^/gm, '  ')).join('\n\n')}

Settings come from the environment: see docs/configuration.md. Every command prints its help with --help.`
}

async function runCommand(name: string, args: readonly string[]): Promise<number> {
  const online = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.() : undefined
  const offline = Object.hasOwn(OFFLINE, name) ? await OFFLINE[name]?.() : undefined
  const command = online ?? offline
  if (!command) throw new OperatorError(`Unknown command ${name}: --help lists the commands.`)
  if (args.includes('--help') || args.includes('-h')) {
    print(command.help)
    return 0
  }
  if (offline) return offline.run(args)
  return online ? withRegistry(online, args) : 0
}

async function withRegistry(command: Command, args: readonly string[]): Promise<number> {
  const config = readConfig(process.env)
  const [{ buildLog }, { openRegistry }, { LeaseHeld }, { startTracing }] = await Promise.all([
    import('./log.ts'),
    import('./registry.ts'),
    import('./store/lease.ts'),
    import('./tracing.ts'),
  ])
  const log = buildLog({ level: config.LOG_LEVEL })
  const tracing = await startTracing(process.env)
  const registry = await openRegistry(config, { log, env: process.env, say })
  try {
    return await command.run({ config, db: registry.db, log, registry, tracing }, args)
  } catch (cause) {
    if (cause instanceof LeaseHeld) throw new OperatorError(cause.message, cause)
    throw cause
  } finally {
    await registry.close()
    await tracing?.close()
  }
}

async function configCommand(): Promise<number> {
  print(JSON.stringify(maskedConfig(readConfig(process.env)), null, 2))
  return 0
}
