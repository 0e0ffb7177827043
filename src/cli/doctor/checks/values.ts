import { readConfig } from '../../../config/read-config.ts'
import { ConfigError } from '../../../config/setting-kinds.ts'
import { SETTINGS } from '../../../config/settings.ts'
import { type Finding, failed } from '../finding.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Every wrong value, not only the first, which is where the service would stop. */
export function checkValues(environment: Environment, flags: readonly string[]): Finding[] {
  const attempts = Object.keys(SETTINGS).map((name) => () => readConfig({ [name]: environment[name] }, []))
  return [...attempts, () => readConfig({}, flags)].flatMap((attempt) => {
    try {
      attempt()
      return []
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return [failed(error.message, 'Correct the value: the service does not start with it.')]
    }
  })
}
