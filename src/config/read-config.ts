import { ConfigError } from './config-error.ts'
import { readFlags } from './read-flags.ts'
import type { Setting } from './setting-kinds.ts'
import { type Config, SETTINGS } from './settings.ts'

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
    if (value === undefined && setting.advice?.[written] !== undefined) throw new ConfigError(setting.advice[written])
    if (value === undefined) {
      const given = setting.secret ? '' : `, not ${JSON.stringify(written)}`
      throw new ConfigError(`${name} takes ${setting.takes}${given}`)
    }
    return [name, value]
  })
  return Object.fromEntries(entries) as Config
}
