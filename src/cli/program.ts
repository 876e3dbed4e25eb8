import { maskedConfig, readConfig } from '../config/read-config.ts'
import type { Config } from '../config/settings.ts'
import { LoadFailure, OperatorError } from '../domain/problem.ts'
import { print, say } from './output.ts'
import type { ReadyCommand } from './runtime.ts'

interface Command {
  /** checks flags and files; what it gives runs on an open registry */
  prepare(args: readonly string[], config: Config): Promise<ReadyCommand>
  help: string
  /** makes or replaces the indices itself, so none are made or checked before it */
  isBare?: boolean
}

interface OfflineCommand {
  run(args: readonly string[]): Promise<number>
  help: string
}

/** Commands that work on an open registry. Each is read only when it is needed: a load has no use for the server. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => {
    const { serveCommand: prepare, SERVE_HELP: help } = await import('./serve.ts')
    return { prepare, help }
  },
  loader: async () => {
    const { loaderCommand: prepare, LOADER_HELP: help } = await import('./serve.ts')
    return { prepare, help }
  },
  load: async () => {
    const { loadCommand: prepare, LOAD_HELP: help } = await import('./load.ts')
    return { prepare, help }
  },
  runs: async () => {
    const { runsCommand: prepare, RUNS_HELP: help } = await import('./runs.ts')
    return { prepare, help }
  },
  keys: async () => {
    const { keysCommand: prepare, KEYS_HELP: help } = await import('./keys.ts')
    return { prepare, help }
  },
  setup: async () => {
    const { setupCommand: prepare, SETUP_HELP: help } = await import('./setup.ts')
    return { prepare, help }
  },
  demo: async () => {
    const { demoCommand: prepare, DEMO_HELP: help } = await import('./demo.ts')
    return { prepare, help }
  },
  verify: async () => {
    const { verifyCommand: prepare, VERIFY_HELP: help } = await import('./verify.ts')
    return { prepare, help }
  },
  backup: async () => {
    const { backupCommand: prepare, BACKUP_HELP: help } = await import('./backup.ts')
    return { prepare, help, isBare: true }
  },
  migrate: async () => {
    const { migrateCommand: prepare, MIGRATE_HELP: help } = await import('./migrate.ts')
    return { prepare, help, isBare: true }
  },
}

/** Commands that need no Elasticsearch. */
const OFFLINE: Record<string, () => Promise<OfflineCommand>> = {
  sources: async () => {
    const { sourcesCommand: run, SOURCES_HELP: help } = await import('./sources.ts')
    return { run, help }
  },
  mirror: async () => {
    const { mirrorCommand: run, MIRROR_HELP: help } = await import('./mirror.ts')
    return { run, help }
  },
  config: async () => ({
    run: configCommand,
    help: 'config     prints the effective settings, secrets masked',
  }),
}

/** Runs one command; gives its exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
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
  const run = await command.prepare(args, config)
  const [{ buildLog }, { openRegistry }, { isUnavailable }, { LeaseHeld }, { startTracing }] =
    await Promise.all([
      import('../log.ts'),
      import('../registry.ts'),
      import('../store/db.ts'),
      import('../store/lease.ts'),
      import('../tracing.ts'),
    ])
  const log = buildLog({ level: config.LOG_LEVEL })
  const tracing = await startTracing(process.env)
  const registry = await openRegistry(config, {
    log,
    env: process.env,
    say,
    isBare: command.isBare ?? false,
  })
  try {
    return await run({ config, db: registry.db, log, registry, tracing })
  } catch (cause) {
    if (cause instanceof LeaseHeld || cause instanceof LoadFailure) {
      throw new OperatorError(cause.message, cause)
    }
    if (isUnavailable(cause)) {
      throw new OperatorError(
        `Elasticsearch cannot serve at the moment: ${(cause as Error).message}`,
        cause,
      )
    }
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
