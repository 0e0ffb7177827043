import { realpathSync } from 'node:fs'
import { checkVersion } from '../../copy/check-version.ts'
import { CopyRefused } from '../../copy/copy-refused.ts'
import { type CopyTarget, FINGERPRINT_ROW, PROGRESS_TABLE, type TableProgress } from '../../copy/ends.ts'
import type { CopiedRow, CopiedTable } from '../../copy/tables/table.ts'
import { type Database, MEMORY, openExclusivelyForWriting } from '../connection/database.ts'
import { prepareFile } from '../connection/database-file.ts'
import { isBusy, toStoreError } from '../connection/errors.ts'
import { MIGRATIONS, migrate, versionOf } from '../migrate.ts'
import { hasUnfinishedCopy } from '../unfinished-copy.ts'
import { writeFirstSuccess } from './attempts.ts'
import { readPages, toSqlite } from './read-pages.ts'

/** Columns that only SQLite has and that have no default, with the value of a new store. */
const OWN_COLUMNS: Readonly<Record<string, Readonly<Record<string, number>>>> = { fan_out: { made_due: 0 } }

/** Creates the file if there is none, and locks it until the copy ends. */
export function openSqliteTarget(path: string): CopyTarget {
  if (path === MEMORY) throw new CopyRefused('A database in memory ends with its process: name a file as the target')
  try {
    prepareFile(path)
    const database = openExclusivelyForWriting(path)
    try {
      if (versionOf(database) === 0) createSchema(database, path)
      const schemaVersion = versionOf(database)
      checkVersion('target', schemaVersion, MIGRATIONS.at(-1)!.version)
      return targetOf(database, schemaVersion)
    } catch (error) {
      database[Symbol.dispose]()
      throw error
    }
  } catch (error) {
    if (isBusy(error)) throw new CopyRefused(`A process is using ${path}: stop it first`, { cause: error })
    throw toStoreError(error)
  }
}

function createSchema(database: Database, path: string): void {
  if (database.get('SELECT 1 FROM sqlite_schema') !== undefined)
    throw new CopyRefused(`${realpathSync(path)} is a SQLite database of something else: name a new file`)
  migrate(database)
}

function targetOf(database: Database, schemaVersion: number): CopyTarget {
  const stateOf = (name: string) =>
    database.get<{ state: string }>(`SELECT state FROM ${PROGRESS_TABLE} WHERE name = ?`, [name])?.state ?? null
  const setState = (name: string, state: string) =>
    database.run(
      `INSERT INTO ${PROGRESS_TABLE} (name, state) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state`,
      [name, state],
    )
  return {
    schemaVersion,
    pages: (table, after) => readPages(database, table, after),
    unfinishedCopyOf: async () => (hasUnfinishedCopy(database) ? stateOf(FINGERPRINT_ROW) : null),
    async begin(fingerprint) {
      database.transaction(() => {
        database.script(`CREATE TABLE ${PROGRESS_TABLE} (name TEXT PRIMARY KEY NOT NULL, state TEXT NOT NULL) STRICT`)
        setState(FINGERPRINT_ROW, fingerprint)
      })
    },
    async progressOf(table) {
      const state = stateOf(table.name)
      return state === null ? null : (JSON.parse(state) as TableProgress)
    },
    async write(table, rows, progress, first) {
      database.transaction(() => {
        if (first) database.run(`DELETE FROM ${table.name}`)
        for (const row of rows) writeRow(database, table, row)
        setState(table.name, JSON.stringify(progress))
      })
    },
    async finish() {
      database.transaction(() => database.script(`DROP TABLE ${PROGRESS_TABLE}`))
    },
    [Symbol.asyncDispose]: async () => database[Symbol.dispose](),
  }
}

function writeRow(database: Database, table: CopiedTable, row: CopiedRow): void {
  if (table.name === 'attempts' && writeFirstSuccess(database, table, row)) return
  const own = OWN_COLUMNS[table.name] ?? {}
  const names = [...table.columns.map(({ name }) => name), ...Object.keys(own)]
  database.run(`INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, [
    ...row.map(toSqlite),
    ...Object.values(own),
  ])
}
