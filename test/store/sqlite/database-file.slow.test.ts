import assert from 'node:assert/strict'
import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { damageOf } from '../../../src/store/sqlite/database-file.ts'
import { StoreUnusable } from '../../../src/store/store.ts'
import fc from '../../support/fast-check.ts'
import { type EmptyDatabase, emptySqlite } from '../empty-database.ts'
import { created, NOW } from '../fixtures.ts'

type SqliteHome = Awaited<ReturnType<typeof emptySqlite>>

describe('a truncated SQLite file', { timeout: 60_000 }, () => {
  it('is detected at any length, and nothing is written to it', async () => {
    await using database = await filled()
    const whole = await readFile(database.path)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (size) => {
        await writeFile(database.path, whole.subarray(0, size))
        await refused(database)
        assert.deepEqual(await readFile(database.path), whole.subarray(0, size))
      }),
      { numRuns: 30, examples: [[0], [1], [15], [99], [100], [whole.length - 1]] },
    )
  })

  it('is detected beside the log of a killed process', async () => {
    await using database = await filled()
    await using store = await database.open()
    await store.incidents.save([created(1_000)], NOW)
    const path = join(database.directory, 'killed.db')
    for (const suffix of ['', '-wal']) await copyFile(database.path + suffix, path + suffix)
    assert.equal(damageOf(path), null)
    const { size } = await stat(path)
    await truncate(path, size / 2)
    assert.match(damageOf(path)!, /^is cut off: \d+ of its \d+ pages are missing$/)
  })

  it('is not reported if a process was killed while it copied the log into the file', async () => {
    await using database = await emptySqlite()
    await using store = await database.open()
    await store.incidents.save(
      Array.from({ length: 300 }, (_, number) => created(number)),
      NOW,
    )
    const path = join(database.directory, 'killed.db')
    await copyFile(`${database.path}-wal`, `${path}-wal`)
    using other = new DatabaseSync(database.path)
    other.exec('PRAGMA wal_checkpoint(FULL)')
    await copyFile(database.path, path)
    await truncate(path, (await stat(path)).size / 2)
    assert.equal(damageOf(path), null)
    await using recovered = await openStore(`sqlite:${path}`)
    assert.equal((await recovered.events.after(0, 1000)).length, 300)
  })

  it('is detected if the file is missing and its log is not', async () => {
    await using database = await filled()
    await writeFile(`${database.path}-wal`, await readFile(database.path))
    await rm(database.path)
    await refused(database, /is missing, but/)
  })
})

async function refused(
  database: EmptyDatabase,
  message = /(cut off|0 bytes).*; put a backup in its place/,
): Promise<void> {
  await assert.rejects(database.open(), (error) => {
    assert.ok(error instanceof StoreUnusable)
    assert.match(error.message, message)
    return true
  })
}

async function filled(): Promise<SqliteHome> {
  const database = await emptySqlite()
  await using store = await database.open()
  await store.incidents.save(
    Array.from({ length: 300 }, (_, number) => created(number)),
    NOW,
  )
  return database
}
