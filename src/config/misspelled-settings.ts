import { editDistance } from '../lib/similar-names.ts'
import { FORMER_NAMES } from './read-config.ts'
import { SETTINGS } from './settings.ts'

/** Variables that are no settings and may stand in the same file. */
const OTHERS =
  /^(NODE_.*|UV_.*|PG.*|OTEL_.*|LC_.*|LANG|TZ|PATH|HOME|USER|TMPDIR|SSL_CERT_.*|MALLOC_.*|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/
const NAMES = Object.keys(SETTINGS)
/** Short names are near to many words: HOME is no mistyped HOST. */
const SHORT_LENGTH = 6

export interface MisspelledSetting {
  readonly message: string
  readonly mend: string
}

/**
 * Looks for misspelled names. The environment has many other variables, so there only names near a
 * setting count; in a file of settings, every unknown name does.
 */
export function misspelledSettings(
  environmentNames: readonly string[],
  fileNames: readonly string[],
): MisspelledSetting[] {
  const former = new Map(Object.entries(FORMER_NAMES).map(([name, before]) => [before, name]))
  const names = new Set([...fileNames, ...environmentNames])
  return [...names].sort().flatMap((name) => {
    if (Object.hasOwn(SETTINGS, name)) return []
    const renamed = former.get(name)
    if (renamed !== undefined)
      return [{ message: `${name} is the former name of ${renamed}`, mend: `Write ${renamed} instead.` }]
    const message = `${name} is not a setting, so it has no effect`
    const meant = similarSetting(name)
    if (meant !== null) return [{ message, mend: `Did you mean ${meant}?` }]
    if (!fileNames.includes(name) || OTHERS.test(name)) return []
    return [{ message, mend: 'docs/settings.md lists the settings.' }]
  })
}

function similarSetting(name: string): string | null {
  const plain = plainOf(name)
  const limit = plain.length <= SHORT_LENGTH ? 1 : 2
  const near = NAMES.map((setting) => ({ setting, distance: editDistance(plain, plainOf(setting), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
  return near[0]?.setting ?? null
}

function plainOf(name: string): string {
  return name
    .toUpperCase()
    .replace(/^INCIDENT_FEED_/, '')
    .replaceAll(/[_-]/g, '')
}
