import type { Command, Option } from './command.ts'

/** Options that every command has. */
export const HELP: Option = { name: 'help', about: 'Show this help' }

const ENVIRONMENT = `INCIDENT_FEED_KEY and INCIDENT_FEED_URL take precedence over what "incidents login" has stored.`

/** Lists the commands whose names begin with `words`. */
export function overview(commands: readonly Command[], words: readonly string[] = []): string {
  const prefix = words.map((word) => `${word} `).join('')
  const shown = commands.filter(({ name }) => name.startsWith(prefix))
  return `Usage: incidents ${prefix}<command> [options]

${columns(shown.map(({ name, args, about }) => [[name, ...args].join(' '), about]))}

incidents <command> --help says more. ${ENVIRONMENT}
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 key missing or refused, 4 not found, 130 interrupted.
`
}

export function helpOf({ name, args, about, options, details }: Command): string {
  const rows = [...options, HELP].map((option) => [synopsis(option), aboutOf(option)] as const)
  return `Usage: incidents ${[name, ...args].join(' ')}${options.length > 0 ? ' [options]' : ''}

${about}.

${columns(rows)}
${details === undefined ? '' : `\n${details}\n`}`
}

function synopsis({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

function aboutOf({ about, values, several, repeated }: Option): string {
  const allowed = values === undefined ? '' : `: ${values.join(', ')}`
  return `${about}${allowed}${several ? ' (several by comma, or repeated)' : ''}${repeated ? ' (may be repeated)' : ''}`
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
