import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config/setting-kinds.ts'
import type { Mapping } from '../../desk/importing/formats/format.ts'
import { type FormatName, MAPPABLE_FORMATS } from '../../desk/importing/import.ts'

export interface MappingFlags {
  readonly map: readonly string[]
  readonly value: readonly string[]
  readonly constant: readonly string[]
  readonly mapping: string | null
}

const PARTS = ['columns', 'values', 'constants'] as const

/** Reads a mapping from a file and from flags, which add to it; one thing is said once. */
export function readMapping(format: FormatName, flags: MappingFlags): Mapping {
  const given = [flags.map, flags.value, flags.constant].some((pairs) => pairs.length > 0) || flags.mapping !== null
  if (given && !MAPPABLE_FORMATS.includes(format))
    throw new ConfigError(`a mapping is for ${MAPPABLE_FORMATS.join(' and ')}: ${format} has fixed column names`)
  const columns = new Map<string, string>()
  const values = new Map<string, Map<string, string>>()
  const constants = new Map<string, string>()
  if (flags.mapping !== null) readFile(flags.mapping, columns, values, constants)
  for (const pair of flags.map) {
    // A column's name may contain an equals sign, a field's never does.
    const at = pair.lastIndexOf('=')
    if (at < 1 || at === pair.length - 1) throw new ConfigError(`--map takes column=field, not ${JSON.stringify(pair)}`)
    addOnce(columns, pair.slice(0, at), pair.slice(at + 1), '--map')
  }
  for (const pair of flags.value) {
    const parts = /^([a-z_]+):(.*)=([^=]*)$/s.exec(pair)
    if (parts === null) throw new ConfigError(`--value takes field:theirs=ours, not ${JSON.stringify(pair)}`)
    addValue(values, parts[1]!, parts[2]!, parts[3]!, '--value')
  }
  for (const pair of flags.constant) {
    const at = pair.indexOf('=')
    if (at < 1 || at === pair.length - 1)
      throw new ConfigError(`--constant takes field=value, not ${JSON.stringify(pair)}`)
    addOnce(constants, pair.slice(0, at), pair.slice(at + 1), '--constant')
  }
  return { columns, values, constants }
}

function addOnce(map: Map<string, string>, key: string, value: string, said: string): void {
  if (map.has(key)) throw new ConfigError(`${said} names ${JSON.stringify(key)} twice`)
  map.set(key, value)
}

/** Values are compared in any case, as a spreadsheet's users write them. */
function addValue(values: Map<string, Map<string, string>>, field: string, theirs: string, ours: string, said: string) {
  const pairs = values.get(field) ?? new Map<string, string>()
  const key = theirs.trim().toLowerCase()
  if (pairs.has(key)) throw new ConfigError(`${said} names the value ${JSON.stringify(theirs)} of ${field} twice`)
  values.set(field, pairs.set(key, ours))
}

function readFile(
  path: string,
  columns: Map<string, string>,
  values: Map<string, Map<string, string>>,
  constants: Map<string, string>,
): void {
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
  for (const [column, field] of pairsOf(document.columns, 'columns')) addOnce(columns, column, field, path)
  for (const [field, value] of pairsOf(document.constants, 'constants')) addOnce(constants, field, value, path)
  if (document.values !== undefined && !isObject(document.values)) throw fail('values', '"values" must be an object')
  for (const [field, pairs] of Object.entries(document.values ?? {})) {
    for (const [theirs, ours] of pairsOf(pairs, field)) addValue(values, field, theirs, ours, path)
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
