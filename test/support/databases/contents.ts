import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import pg from 'pg'
import { execute } from './postgres.ts'
import { tablesOf } from './stores.ts'

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

const run = promisify(execFile)
const MAX_BYTES = 256 * 1024 * 1024

/** `by`: the way it was made, for the output of the test. */
export interface PostgresDump {
  readonly text: string
  readonly by: string
}

/** Returns the database as a new backup has it: schema and rows of every table, as text. */
export async function dumpPostgres(url: string): Promise<PostgresDump> {
  const missing = await whyNoPgDump(url)
  if (missing !== null) return { text: await copyOfTables(url), by: `COPY of every table, because ${missing}` }
  const { stdout } = await run('pg_dump', ['--format=plain', `--dbname=${url}`], { maxBuffer: MAX_BYTES })
  return { text: stdout, by: 'pg_dump' }
}

/** A pg_dump older than the server refuses to dump it. Null if there is one that does. */
export async function whyNoPgDump(url: string): Promise<string | null> {
  const found = await run('pg_dump', ['--version']).catch(() => null)
  if (found === null) return 'there is no pg_dump here'
  const [tool] = /\d+/.exec(found.stdout)!
  const [{ server_version }] = (await execute(url, 'SHOW server_version')) as [{ server_version: string }]
  return Number(tool) >= Number.parseInt(server_version, 10)
    ? null
    : `pg_dump ${tool} cannot dump a server ${server_version}`
}

class CopyText extends pg.Query {
  copied = ''

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.copied += chunk.toString()
  }
}

async function copyOfTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    const texts: string[] = []
    for (const { name } of rows) texts.push(`COPY ${name}\n${await copyOf(client, name)}`)
    return texts.join('\n')
  } finally {
    await client.end()
  }
}

function copyOf(client: pg.Client, table: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const query: CopyText = new CopyText(`COPY ${table} TO STDOUT`, (error) =>
      error ? reject(error) : resolve(query.copied),
    )
    client.query(query)
  })
}
