import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import { FORMATS, type FormatName, MAPPABLE_FORMATS } from '../../intake/importing/formats/formats.ts'
import { suggestNames } from '../../lib/text/suggest.ts'

export const USAGE = `incident-feed import <format> <file|-> [options]   bring history into the archive

Formats: ${Object.keys(FORMATS).join(', ')}. A dash reads from standard input.

  --dry-run              do everything but write: what would be new, updated, rejected?
  --map column=field     a foreign column under our name (${MAPPABLE_FORMATS.join(', ')}); column=- leaves it out, *=- all others
  --rejected file        where rejected rows are kept (else <file>.rejected.ndjson)
  --from-start           begin anew where an earlier import of the file was interrupted
  --database-url …       and --lga-boundaries …: as in docs/settings.md

The same file twice changes nothing. docs/importing.md describes the formats.`

export interface ImportWords {
  readonly format: FormatName
  readonly file: string
  readonly map: ReadonlyMap<string, string>
  readonly dryRun: boolean
  readonly fromStart: boolean
  readonly rejected: string | null
  readonly config: Config
}

/** Null where help is asked for. */
export function readWords(words: readonly string[], environment: NodeJS.ProcessEnv): ImportWords | null {
  const { values, positionals } = parsed(words)
  if (values.help) return null
  const [format, file, ...more] = positionals
  if (format === undefined) throw new ConfigError(`import takes a format and a file\n\n${USAGE}`)
  if (!isFormat(format)) throw new ConfigError(unknownFormat(format))
  if (file === undefined || file === '') throw new ConfigError(`import ${format} takes a file, or - for standard input`)
  if (more.length > 0) throw new ConfigError(`import takes one file at a time, not ${more.length + 1}`)
  const flags = (['database-url', 'lga-boundaries'] as const).flatMap((flag) =>
    values[flag] === undefined ? [] : [`--${flag}`, values[flag]],
  )
  return {
    format,
    file,
    map: mapOf(format, values.map ?? []),
    dryRun: values['dry-run'] ?? false,
    fromStart: values['from-start'] ?? false,
    rejected: values.rejected ?? null,
    config: readConfig(environment, flags),
  }
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name)
}

function unknownFormat(name: string): string {
  const names = Object.keys(FORMATS)
  const near = suggestNames(name, names)
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `these are: ${names.join(', ')}`
  return `${JSON.stringify(name)} is not a format; ${hint}`
}

function mapOf(format: FormatName, pairs: readonly string[]): ReadonlyMap<string, string> {
  if (pairs.length > 0 && !MAPPABLE_FORMATS.includes(format)) {
    throw new ConfigError(
      `--map is for ${MAPPABLE_FORMATS.join(' and ')}: the columns of ${format} have names of their own`,
    )
  }
  const map = new Map<string, string>()
  for (const pair of pairs) {
    // A column may have an equals sign in its name, a field never.
    const at = pair.lastIndexOf('=')
    if (at < 1 || at === pair.length - 1) throw new ConfigError(`--map takes column=field, not ${JSON.stringify(pair)}`)
    const column = pair.slice(0, at)
    if (map.has(column)) throw new ConfigError(`--map names the column ${JSON.stringify(column)} twice`)
    map.set(column, pair.slice(at + 1))
  }
  return map
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        map: { type: 'string', multiple: true },
        rejected: { type: 'string' },
        'from-start': { type: 'boolean' },
        'database-url': { type: 'string' },
        'lga-boundaries': { type: 'string' },
      },
    })
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}\n\n${USAGE}`)
  }
}
