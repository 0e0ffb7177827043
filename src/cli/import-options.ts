import { readFileSync } from 'node:fs'
import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import type { Config } from '../config/settings.ts'
import type { Mapping } from '../desk/importing/formats/format.ts'
import { FORMATS, type FormatName, MAPPABLE_FORMATS } from '../desk/importing/import.ts'
import { suggestNames } from '../lib/similar-names.ts'
import { parseArguments } from './arguments.ts'

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
  --create               create the database if there is none yet
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
  create: { type: 'boolean' },
  'database-url': { type: 'string' },
  'lga-boundaries': { type: 'string' },
} as const

/** Parts of a mapping in a file. */
const PARTS = ['columns', 'values', 'constants'] as const

export interface ImportOptions {
  readonly format: FormatName
  readonly file: string
  readonly mapping: Mapping
  readonly replace: boolean
  readonly dryRun: boolean
  readonly fromStart: boolean
  /** Whether the database may be created. */
  readonly create: boolean
  readonly rejected: string | null
  readonly config: Config
}

/** Returns null if help was requested. */
export function readImportOptions(args: readonly string[], environment: NodeJS.ProcessEnv): ImportOptions | null {
  const { values, positionals } = parseArguments(args, OPTIONS, USAGE)
  if (values.help) return null
  const [format, file, ...more] = positionals
  if (format === undefined) throw new ConfigError(`import takes a format and a file\n\n${USAGE}`)
  if (!isFormat(format)) {
    const names = Object.keys(FORMATS)
    const near = suggestNames(format, names)
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `the formats are: ${names.join(', ')}`
    throw new ConfigError(`${JSON.stringify(format)} is not a format; ${hint}`)
  }
  if (file === undefined || file === '') throw new ConfigError(`import ${format} takes a file, or - for standard input`)
  if (more.length > 0) throw new ConfigError(`import takes one file at a time, not ${more.length + 1}`)
  const flags = (['database-url', 'lga-boundaries'] as const).flatMap((flag) =>
    values[flag] === undefined ? [] : [`--${flag}`, values[flag]],
  )
  return {
    format,
    file,
    mapping: readMapping(format, values),
    replace: values.replace ?? false,
    dryRun: values['dry-run'] ?? false,
    fromStart: values['from-start'] ?? false,
    create: values.create ?? false,
    rejected: values.rejected ?? null,
    config: readConfig(environment, flags),
  }
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name)
}

type Pairs = Map<string, string>

interface WritableMapping extends Mapping {
  readonly columns: Pairs
  readonly values: Map<string, Pairs>
  readonly constants: Pairs
}

/** Reads a mapping from a file and from flags, which add to it; one thing is said once. */
function readMapping(format: FormatName, flags: ReturnType<typeof parseArguments<typeof OPTIONS>>['values']): Mapping {
  const { map = [], value = [], constant = [], mapping } = flags
  const isGiven = mapping !== undefined || map.length + value.length + constant.length > 0
  if (isGiven && !MAPPABLE_FORMATS.includes(format))
    throw new ConfigError(`a mapping is for ${MAPPABLE_FORMATS.join(' and ')}: ${format} has fixed column names`)
  const read: WritableMapping = { columns: new Map(), values: new Map(), constants: new Map() }
  if (mapping !== undefined) readFile(mapping, read)
  for (const pair of map) {
    // A column's name may contain an equals sign, a field's never does.
    const [column, field] = splitPair(pair, pair.lastIndexOf('='), '--map takes column=field')
    addOnce(read.columns, column, field, '--map')
  }
  for (const pair of value) {
    const parts = /^([a-z_]+):(.*)=([^=]*)$/s.exec(pair)
    if (parts === null) throw new ConfigError(`--value takes field:theirs=ours, not ${JSON.stringify(pair)}`)
    addValue(read, parts[1]!, parts[2]!, parts[3]!, '--value')
  }
  for (const pair of constant) {
    const [field, value] = splitPair(pair, pair.indexOf('='), '--constant takes field=value')
    addOnce(read.constants, field, value, '--constant')
  }
  return read
}

function splitPair(pair: string, at: number, rule: string): [string, string] {
  if (at < 1 || at === pair.length - 1) throw new ConfigError(`${rule}, not ${JSON.stringify(pair)}`)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function addOnce(map: Pairs, key: string, value: string, said: string): void {
  if (map.has(key)) throw new ConfigError(`${said} names ${JSON.stringify(key)} twice`)
  map.set(key, value)
}

/** Values are compared in any case, as a spreadsheet's users write them. */
function addValue({ values }: WritableMapping, field: string, theirs: string, ours: string, said: string) {
  const pairs = values.get(field) ?? new Map()
  const key = theirs.trim().toLowerCase()
  if (pairs.has(key)) throw new ConfigError(`${said} names the value ${JSON.stringify(theirs)} of ${field} twice`)
  values.set(field, pairs.set(key, ours))
}

function readFile(path: string, read: WritableMapping): void {
  const text = textOf(path)
  const document = documentOf(path, text)
  const fail = (key: string, message: string) => new ConfigError(`${path}, line ${lineOf(text, key)}: ${message}`)
  for (const part of Object.keys(document)) {
    if (!(PARTS as readonly string[]).includes(part))
      throw fail(part, `"${part}" is not known; a mapping has ${PARTS.join(', ')}`)
  }
  const pairsOf = (value: unknown, key: string): [string, string][] => {
    if (value === undefined) return []
    if (!isObject(value)) throw fail(key, `"${key}" must be an object`)
    return Object.entries(value).map(([name, target]) => {
      if (typeof target !== 'string') throw fail(name, `"${name}" must be text`)
      return [name, target]
    })
  }
  for (const [column, field] of pairsOf(document.columns, 'columns')) addOnce(read.columns, column, field, path)
  for (const [field, value] of pairsOf(document.constants, 'constants')) addOnce(read.constants, field, value, path)
  if (document.values !== undefined && !isObject(document.values)) throw fail('values', '"values" must be an object')
  for (const [field, pairs] of Object.entries(document.values ?? {})) {
    for (const [theirs, ours] of pairsOf(pairs, field)) addValue(read, field, theirs, ours, path)
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`--mapping ${path} cannot be read: ${(error as Error).message}`)
  }
}

function documentOf(path: string, text: string): Record<string, unknown> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const at = /position (\d+)/.exec(message)?.[1]
    const line = at === undefined ? '' : `, line ${text.slice(0, Number(at)).split('\n').length}`
    throw new ConfigError(`${path}${line}: the mapping is not JSON: ${message}`)
  }
  if (!isObject(document)) throw new ConfigError(`${path}: the mapping must be an object with ${PARTS.join(', ')}`)
  return document
}

/** The line on which a key stands first. */
function lineOf(text: string, key: string): number {
  const at = text.indexOf(JSON.stringify(key))
  return text.slice(0, Math.max(0, at)).split('\n').length
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
