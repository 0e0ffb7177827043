import { existsSync, readFileSync } from 'node:fs'
import { execute } from './postgres.ts'
import { tablesOf } from './tables.ts'

/**
 * The tables, with their columns, in which some row contains the word, as `table.column`, sorted.
 */
export async function columnsWith(url: string, word: string): Promise<string[]> {
  const tables = url.startsWith('sqlite:') ? tablesOf(url.slice('sqlite:'.length)) : await postgresTables(url)
  const found = new Set<string>()
  for (const [table, rows] of Object.entries(tables))
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (textOf(value).includes(word)) found.add(`${table}.${column}`)
  return [...found].sort()
}

async function postgresTables(url: string): Promise<Record<string, Record<string, unknown>[]>> {
  const names = await execute(url, `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`)
  const tables: Record<string, Record<string, unknown>[]> = {}
  for (const { name } of names) tables[String(name)] = await execute(url, `SELECT * FROM "${name}"`)
  return tables
}

/** In lower case and without accents: the word may be written otherwise. */
function textOf(value: unknown): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The files of a SQLite database whose bytes contain the word, in ASCII and in any case. */
export function filesWith(path: string, word: string): string[] {
  return [path, `${path}-wal`, `${path}-shm`].filter(
    (file) => existsSync(file) && readFileSync(file).toString('latin1').toLowerCase().includes(word),
  )
}
