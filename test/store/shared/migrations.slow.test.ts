import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { Servers } from '../../../src/store/postgres/connection/servers.ts'
import { migrate as migratePostgres, MIGRATIONS as POSTGRES } from '../../../src/store/postgres/migrate.ts'
import type { Migration } from '../../../src/store/shared/migrations.ts'
import { Database } from '../../../src/store/sqlite/connection/database.ts'
import { migrate as migrateSqlite, MIGRATIONS as SQLITE } from '../../../src/store/sqlite/migrate.ts'
import { StoreUnusable } from '../../../src/store/store.ts'
import { execute, testDatabase } from '../../support/databases/postgres.ts'
import { emptySqlite } from '../empty-database.ts'

/** Runs migrations and SQL on either database, without a store. */
interface Target extends AsyncDisposable {
  readonly url: string
  execute(sql: string): Promise<void>
  migrate(migrations: readonly Migration[]): Promise<void>
}

async function sqliteTarget(): Promise<Target> {
  const database = await emptySqlite()
  await (await database.open())[Symbol.asyncDispose]()
  const target = new DatabaseSync(database.path)
  return {
    url: database.url,
    execute: async (sql) => target.exec(sql),
    migrate: async (migrations) => migrateSqlite(new Database(target), migrations),
    async [Symbol.asyncDispose]() {
      target.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function postgresTarget(): Promise<Target> {
  const { url, ...database } = await testDatabase()
  return {
    ...database,
    url,
    execute: async (sql) => void (await execute(url, sql)),
    migrate: (migrations) => migratePostgres(new Servers(url), 3_000, migrations),
  }
}

const NEWEST = SQLITE.at(-1)!.version
const NEXT: Migration = { version: NEWEST + 1, name: 'next', sql: 'CREATE TABLE extra (id integer)' }
const BROKEN: Migration = {
  version: NEWEST + 2,
  name: 'broken',
  sql: 'CREATE TABLE half (id integer); CREATE TABLE extra (id integer)',
}

describe('migrations', { timeout: 60_000 }, () => {
  it('have the same numbers in both dialects, without a gap', () => {
    assert.deepEqual(
      SQLITE.map((migration) => migration.name),
      POSTGRES.map((migration) => migration.name),
    )
    assert.deepEqual(
      SQLITE.map((migration) => migration.version),
      SQLITE.map((_, index) => index + 1),
    )
  })

  for (const [name, newTarget] of [
    ['SQLite', sqliteTarget],
    ['PostgreSQL', postgresTarget],
  ] as const) {
    it(`refuse a database newer than the build, naming both versions, on ${name}`, async () => {
      await using target = await newTarget()
      await target.execute('INSERT INTO schema_version (version) VALUES (77)')
      await assert.rejects(openStore(target.url), (error) => {
        assert(error instanceof StoreUnusable)
        assert.match(error.message, new RegExp(`version 77.* ${NEWEST}\\b`))
        return true
      })
    })

    it(`are applied once each, all or none, on ${name}`, async () => {
      await using target = await newTarget()
      await assert.rejects(target.migrate([...SQLITE, NEXT, BROKEN]), (error) => {
        assert(error instanceof StoreUnusable)
        assert.match(error.message, /broken/)
        return true
      })
      await assert.rejects(target.execute('SELECT * FROM half'))
      await assert.rejects(target.execute('SELECT * FROM extra'))
      await target.migrate([...SQLITE, NEXT])
      await target.migrate([...SQLITE, NEXT])
      await target.execute('SELECT * FROM extra')
      await assert.rejects(openStore(target.url), StoreUnusable)
    })
  }

  it('are applied by one of several SQLite processes that open an empty file at once', async () => {
    await using database = await emptySqlite()
    const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()))
    for (const store of stores) assert.equal((await store.events.head()).seq, 0)
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  it('are applied by one of several PostgreSQL nodes that open an empty database at once', async () => {
    await using database = await testDatabase('empty')
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(database.url)))
    for (const store of stores) assert.equal((await store.events.head()).seq, 0)
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  it('do not change a database of another application', async () => {
    await using database = await testDatabase('empty')
    await execute(database.url, 'CREATE TABLE keys (door text)')
    await assert.rejects(
      openStore(database.url),
      (error) => error instanceof StoreUnusable && /"keys"/.test(error.message),
    )
    const tables = await execute(database.url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
    assert.deepEqual(tables, [{ tablename: 'keys' }])
  })
})
