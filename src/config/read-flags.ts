import { parseArgs } from 'node:util'
import { ConfigError } from './config-error.ts'
import { SETTINGS, type SettingName } from './settings.ts'

const FLAGS = new Map((Object.keys(SETTINGS) as SettingName[]).map((name) => [flagOf(name), name]))
const FLAG_OPTIONS = Object.fromEntries(
  [...FLAGS].map(([flag, name]) => [flag, { type: isSwitch(name) ? ('boolean' as const) : ('string' as const) }]),
)

export function readFlags(flags: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  // `--RATE_LIMIT` and `--rate_limit` mean `--rate-limit`.
  const args = flags.map((word) => word.replace(/^--[^=]+/, (flag) => flag.toLowerCase().replaceAll('_', '-')))
  // Not strict: its messages would neither list the settings nor say what one takes.
  const { tokens } = parseArgs({ args, options: FLAG_OPTIONS, strict: false, tokens: true })
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    const name = token.kind === 'option' ? FLAGS.get(token.name) : undefined
    if (token.kind !== 'option' || name === undefined) {
      const written = token.kind === 'option' ? token.rawName : flags[token.index]
      const known = [...FLAGS.keys()].map((flag) => `--${flag}`)
      throw new ConfigError(`${written} is not a setting; the settings are: ${known.join(', ')}`)
    }
    const next = tokens[index + 1]
    if (token.value !== undefined) given.set(name, token.value)
    else if (!isSwitch(name)) throw new ConfigError(`${token.rawName} takes ${SETTINGS[name].takes}`)
    else if (next?.kind === 'positional' && /^(true|false)$/.test(next.value)) {
      given.set(name, next.value)
      index++
    } else given.set(name, 'true')
  }
  return given
}

function flagOf(name: SettingName): string {
  return name.toLowerCase().replaceAll('_', '-')
}

function isSwitch(name: SettingName): boolean {
  return SETTINGS[name].takes === 'true or false'
}
