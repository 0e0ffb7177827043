import { parseArgs } from 'node:util'
import { type Setting, SettingError } from './setting-kinds.ts'
import { type Config, SETTINGS, type SettingName } from './settings.ts'

/** Names that settings had before; the environment may still use them. */
export const FORMER_NAMES: Readonly<Record<string, string>> = { STREAMS_PER_ACCOUNT: 'STREAMS_PER_KEY' }

/**
 * Flags override the environment. An empty value counts as absent, wherever it is written:
 * `OPERATOR_KEY=${OPERATOR_KEY}` in a compose file sets it empty. Throws on the first invalid
 * value, naming what it takes.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Config {
  const given = readFlags(flags)
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const formerName = FORMER_NAMES[name] ?? ''
    const written = given.get(name) || environment[name] || environment[formerName] || setting.fallback
    if (written === null) return [name, null]
    const value = setting.read(written)
    if (value === undefined && setting.advice?.[written] !== undefined) throw new SettingError(setting.advice[written])
    if (value === undefined) {
      const given = setting.secret ? '' : `, not ${JSON.stringify(written)}`
      throw new SettingError(`${name} takes ${setting.takes}${given}`)
    }
    return [name, value]
  })
  return Object.fromEntries(entries) as Config
}

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
      throw new SettingError(`${written} is not a setting; the settings are: ${known.join(', ')}`)
    }
    const next = tokens[index + 1]
    if (token.value !== undefined) given.set(name, token.value)
    else if (!isSwitch(name)) throw new SettingError(`${token.rawName} takes ${SETTINGS[name].takes}`)
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
