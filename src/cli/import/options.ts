import { readConfig } from '../../config/read-config.ts'
import { ConfigError } from '../../config/setting-kinds.ts'
import type { Config } from '../../config/settings.ts'
import type { Mapping } from '../../desk/importing/formats/format.ts'
import { FORMATS, type FormatName, MAPPABLE_FORMATS } from '../../desk/importing/import.ts'
import { suggestNames } from '../../lib/similar-names.ts'
import { parseOptions } from '../parse-options.ts'
import { readMapping } from './mapping.ts'

export const USAGE = `incident-feed import <format> <file|-> [options]   import historical incidents into the archive

Formats: ${Object.keys(FORMATS).join(', ')}. A dash reads from standard input.

  --dry-run              write nothing; report what would be new, updated or rejected
  --map column=field     read a column as one of our fields (${MAPPABLE_FORMATS.join(', ')}); column=- ignores it, *=- ignores all others
  --value field:theirs=ours
                         read a value as one of ours; theirs in any case, empty for empty cells, * for all others
  --constant field=value the same value in every row, as --constant dataset=acme
  --mapping file.json    columns, values and constants in a file
  --replace              let a row replace values that are known in more detail
  --rejected file        file for rejected rows (default: <file>.rejected.ndjson)
  --from-start           start again instead of continuing an interrupted import
  --database-url …       and --lga-boundaries …: see docs/settings.md

Importing the same file twice changes nothing. docs/importing.md describes the formats.`

const OPTIONS = {
  help: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  map: { type: 'string', multiple: true },
  value: { type: 'string', multiple: true },
  constant: { type: 'string', multiple: true },
  mapping: { type: 'string' },
  replace: { type: 'boolean' },
  rejected: { type: 'string' },
  'from-start': { type: 'boolean' },
  'database-url': { type: 'string' },
  'lga-boundaries': { type: 'string' },
} as const

export interface ImportOptions {
  readonly format: FormatName
  readonly file: string
  readonly mapping: Mapping
  readonly replace: boolean
  readonly dryRun: boolean
  readonly fromStart: boolean
  readonly rejected: string | null
  readonly config: Config
}

/** Returns null if help was requested. */
export function readImportOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ImportOptions | null {
  const { values, positionals } = parseOptions({ args: [...args], allowPositionals: true, options: OPTIONS }, USAGE)
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
    mapping: readMapping(format, {
      map: values.map ?? [],
      value: values.value ?? [],
      constant: values.constant ?? [],
      mapping: values.mapping ?? null,
    }),
    replace: values.replace ?? false,
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
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the formats are: ${names.join(', ')}`
  return `${JSON.stringify(name)} is not a format; ${hint}`
}
