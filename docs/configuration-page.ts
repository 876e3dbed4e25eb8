import { Settings } from '../src/config/settings.ts'

interface Setting {
  description: string
  default?: string | number
  otherwise?: string
  minimum?: number
  maximum?: number
  enum?: readonly string[]
  expected?: string
  secret?: boolean
}

const HEAD = `# Configuration

Made by \`npm run docs\` from \`src/config.ts\`; change it there.

Everything is set by environment variables. An unknown or malformed one stops the start with a line that names it.
\`npm run -s cli -- config\` prints what is in force, secrets masked.

| Variable | Default | Accepts | Meaning |
|---|---|---|---|
`

/** Every setting as a table. */
export function configurationPage(): string {
  const rows = Object.entries(Settings.properties).map(([name, schema]) => {
    const setting = JSON.parse(JSON.stringify(schema)) as Setting
    const meaning = `${setting.description}${setting.secret ? ' Never shown.' : ''}`
    return `| \`${name}\` | ${byDefault(setting)} | ${accepted(setting)} | ${meaning} |`
  })
  return `${HEAD}${rows.join('\n')}\n`
}

function byDefault({ default: value, otherwise }: Setting): string {
  if (otherwise !== undefined) return otherwise
  return value === undefined ? 'none' : `\`${value}\``
}

function accepted({ minimum, maximum, expected }: Setting): string {
  if (expected !== undefined) return expected
  return minimum === undefined ? 'text' : `${minimum} to ${maximum}`
}
