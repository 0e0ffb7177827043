import { parseArgs } from 'node:util'
import { type Setting, SettingError } from './setting-kinds.ts'
import { type Config, SETTINGS, type SettingName } from './settings.ts'
import { type Environment, withSecretFiles } from './settings-file.ts'

/** Names that settings had before; the environment may still use them. */
export const FORMER_NAMES: Readonly<Record<string, string>> = { STREAMS_PER_ACCOUNT: 'STREAMS_PER_KEY' }

/**
 * Flags override the environment. An empty value counts as absent, wherever it is written:
 * `OPERATOR_KEY=${OPERATOR_KEY}` in a compose file sets it empty. Throws one `SettingError` with
 * every invalid value, naming what it takes.
 */
export function readConfig(environment: Environment, flags: readonly string[]): Config {
  const { given, mistakes } = readFlags(flags)
  const [inFlags, inEnvironment] = [given, environment].map((each) => withSecretFiles(each, () => {}))
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    const formerName = FORMER_NAMES[name] ?? ''
    const written = inFlags![name] || inEnvironment![name] || inEnvironment![formerName] || setting.fallback
    if (written === null) return [name, null]
    const value = setting.read(written)
    if (value === undefined) {
      const given = setting.secret ? '' : `, not ${JSON.stringify(written)}`
      mistakes.push(setting.advice?.[written] ?? `${name} takes ${setting.takes}${given}`)
    }
    return [name, value]
  })
  if (mistakes.length > 0) throw new SettingError(mistakes.join('\n'))
  return Object.fromEntries(entries) as Config
}

const FLAGS = new Map((Object.keys(SETTINGS) as SettingName[]).map((name) => [flagOf(name), name]))
const FLAG_OPTIONS = Object.fromEntries(
  [...FLAGS].map(([flag, name]) => [flag, { type: isSwitch(name) ? ('boolean' as const) : ('string' as const) }]),
)

function readFlags(flags: readonly string[]): { given: Record<string, string>; mistakes: string[] } {
  const given: Record<string, string> = {}
  const mistakes: string[] = []
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
    if (token.value !== undefined) given[name] = token.value
    else if (!isSwitch(name)) mistakes.push(`${token.rawName} takes ${SETTINGS[name].takes}`)
    else if (next?.kind === 'positional' && /^(true|false)$/.test(next.value)) {
      given[name] = next.value
      index++
    } else given[name] = 'true'
  }
  return { given, mistakes }
}

function flagOf(name: SettingName): string {
  return name.toLowerCase().replaceAll('_', '-')
}

function isSwitch(name: SettingName): boolean {
  return SETTINGS[name].takes === 'true or false'
}
