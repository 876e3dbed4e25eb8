import { KEYS_HELP, keysCommand } from './cli/keys.ts'
import { LOAD_HELP, loadCommand } from './cli/load.ts'
import { print, say } from './cli/output.ts'
import { RUNS_HELP, runsCommand } from './cli/runs.ts'
import type { Runtime } from './cli/runtime.ts'
import { LOADER_HELP, loaderCommand, SERVE_HELP, serveCommand } from './cli/serve.ts'
import { SOURCES_HELP, sourcesCommand } from './cli/sources.ts'
import { VERIFY_HELP, verifyCommand } from './cli/verify.ts'
import { maskedConfig, readConfig } from './config.ts'
import { OperatorError } from './domain/problem.ts'
import { buildLog } from './log.ts'
import { openRegistry } from './registry.ts'
import { LeaseHeld } from './store/lease.ts'

type Command = (runtime: Runtime, args: readonly string[]) => Promise<number>

/** Commands that work on an open registry. */
const COMMANDS: Record<string, { run: Command; help: string }> = {
  serve: { run: serveCommand, help: SERVE_HELP },
  loader: { run: loaderCommand, help: LOADER_HELP },
  load: { run: loadCommand, help: LOAD_HELP },
  runs: { run: runsCommand, help: RUNS_HELP },
  keys: { run: keysCommand, help: KEYS_HELP },
  verify: { run: verifyCommand, help: VERIFY_HELP },
}

/** Commands that need no Elasticsearch. */
const OFFLINE: Record<string, { run: (args: readonly string[]) => Promise<number>; help: string }> =
  {
    sources: { run: sourcesCommand, help: SOURCES_HELP },
    config: {
      run: configCommand,
      help: 'config     prints the effective settings, secrets masked',
    },
  }

const HELP = `Pharmacy Registry Service: operator commands

${[...Object.values(COMMANDS), ...Object.values(OFFLINE)].map(({ help }) => indent(help)).join('\n\n')}

Settings come from the environment: see docs/configuration.md. Every command prints its help with --help.`

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  const [name = '--help', ...args] = argv
  if (['--help', '-h', 'help'].includes(name)) {
    print(HELP)
    return 0
  }
  try {
    return await runCommand(name, args)
  } catch (cause) {
    if (!(cause instanceof OperatorError || cause instanceof LeaseHeld)) throw cause
    say(cause.message)
    return 1
  }
}

async function runCommand(name: string, args: readonly string[]): Promise<number> {
  const offline = OFFLINE[name]
  const online = COMMANDS[name]
  const command = offline ?? online
  if (!command) throw new OperatorError(`Unknown command ${name}: --help lists the commands.`)
  if (args.includes('--help') || args.includes('-h')) {
    print(command.help)
    return 0
  }
  if (offline) return offline.run(args)
  return online ? withRegistry(online.run, args) : 0
}

async function withRegistry(run: Command, args: readonly string[]): Promise<number> {
  const config = readConfig(process.env)
  const log = buildLog({ level: config.LOG_LEVEL })
  const registry = await openRegistry(config, { log, env: process.env, say })
  try {
    return await run({ config, db: registry.db, log, registry }, args)
  } finally {
    await registry.close()
  }
}

async function configCommand(): Promise<number> {
  print(JSON.stringify(maskedConfig(readConfig(process.env)), null, 2))
  return 0
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
