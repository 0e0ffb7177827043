import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import pg from 'pg'
import { runCommand } from '../../../test/support/commands.ts'
import { tablesOf } from '../../../test/support/databases/stores.ts'
import { withDatabase } from '../../harness/databases.ts'
import { type KeyedTables, keyedTables, type Row } from './compare-tables.ts'

const execute = promisify(execFile)

export interface MadeBackup {
  readonly tables: () => Promise<KeyedTables>
  /** Puts the backup in the place of an empty store, and returns the address of that store. */
  readonly restore: () => Promise<string>
}

/** Backs up, restores and reads one kind of store. */
export interface BackupStore {
  readonly databaseUrl: string
  /** `name` differs from round to round. */
  backUp(name: string): Promise<MadeBackup>
  readTables(databaseUrl: string): Promise<KeyedTables>
}

/** A SQLite file in the folder; backups go there as well. */
export function sqliteBackups(folder: string): BackupStore {
  const databaseUrl = `sqlite:${join(folder, 'feed.db')}`
  return {
    databaseUrl,
    async backUp(name) {
      const file = join(folder, `${name}.db`)
      await runSuccessfully(['backup', file], databaseUrl)
      return {
        tables: async () => readSqlite(file),
        async restore() {
          const restored = `sqlite:${join(folder, `${name}-restored.db`)}`
          await runSuccessfully(['restore', file], restored)
          return restored
        },
      }
    },
    readTables: async (url) => readSqlite(url.slice('sqlite:'.length)),
  }
}

/** Uses the commands that `incident-feed` names, with the tools in `toolFolder`. */
export function postgresBackups(databaseUrl: string, folder: string, toolFolder: string): BackupStore {
  const runNamed = async (words: readonly string[], url: string) => {
    const { output } = await runCommand(words, { DATABASE_URL: url })
    const command = output.split('\n').find((line) => /^(\(umask 077; )?pg_/.test(line))
    if (command === undefined) throw new Error(`no command was named:\n${output}`)
    const { password } = new URL(url)
    const env = { ...process.env, PATH: `${toolFolder}:${process.env.PATH}`, PGPASSWORD: decodeURIComponent(password) }
    await execute('sh', ['-c', command], { env })
  }
  return {
    databaseUrl,
    async backUp(name) {
      const file = join(folder, `${name}.dump`)
      await runNamed(['backup', file], databaseUrl)
      const restored = withDatabase(databaseUrl, name.replaceAll('-', '_'))
      await queryOnce(databaseUrl, `CREATE DATABASE ${name.replaceAll('-', '_')} TEMPLATE template0`)
      await runNamed(['restore', file], restored)
      return {
        // pg_dump writes a file that only pg_restore reads.
        tables: () => readPostgres(restored),
        async restore() {
          await runSuccessfully(['skip-ahead'], restored)
          return restored
        },
      }
    },
    readTables: readPostgres,
  }
}

/** The newest installed tools and server of one version; null if there are none. */
export function installedPostgres(): string | null {
  const parent = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(parent).sort((one, other) => Number(other) - Number(one))
    const complete = (version: string) => {
      const files = readdirSync(join(parent, version, 'bin'))
      return ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => files.includes(name))
    }
    const version = versions.find(complete)
    return version === undefined ? null : join(parent, version, 'bin')
  } catch {
    return null
  }
}

function readSqlite(path: string): KeyedTables {
  using database = new DatabaseSync(path, { readOnly: true })
  const columns = database
    .prepare(
      `SELECT tables.name AS "table", columns.name FROM sqlite_schema AS tables
       JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND columns.pk > 0`,
    )
    .all() as { table: string; name: string }[]
  return keyedTables(tablesOf(path), columnsByTable(columns))
}

/** Reads in one transaction, which sees one moment. */
async function readPostgres(databaseUrl: string): Promise<KeyedTables> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const columns = await client.query<{ table: string; name: string }>(
      `SELECT indrelid::regclass::text AS table, attname AS name FROM pg_index
       JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
       WHERE indisprimary AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`,
    )
    const names = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    )
    const tables: Record<string, Row[]> = {}
    for (const { name } of names.rows) tables[name] = (await client.query(`SELECT * FROM "${name}"`)).rows
    return keyedTables(tables, columnsByTable(columns.rows))
  } finally {
    await client.end()
  }
}

function columnsByTable(columns: readonly { table: string; name: string }[]): Record<string, string[]> {
  const groups = Object.entries(Object.groupBy(columns, ({ table }) => table))
  return Object.fromEntries(groups.map(([table, ofTable]) => [table, ofTable!.map(({ name }) => name)]))
}

async function runSuccessfully(words: readonly string[], databaseUrl: string): Promise<void> {
  const { code, output } = await runCommand(words, { DATABASE_URL: databaseUrl })
  if (code !== 0) throw new Error(`${words[0]} exited with code ${code}:\n${output}`)
}

async function queryOnce(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
