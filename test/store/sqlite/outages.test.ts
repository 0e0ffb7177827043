import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, open, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { incidents } from '../../../src/store/queries/incidents.ts'
import { planWrite, type WritePlan } from '../../../src/store/queries/write-plan.ts'
import { newThreads } from '../../../src/store/sqlite/connection.ts'
import { Database } from '../../../src/store/sqlite/database.ts'
import { needsReopen, toStoreError } from '../../../src/store/sqlite/errors.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { StoreFull, StoreUnavailable, StoreUnusable } from '../../../src/store/store.ts'
import { incidentId } from '../../support/incident.ts'
import { type EmptyDatabase, emptyMemory, emptySqlite } from '../empty-database.ts'
import { claimAs, created, documentsOf, NOW } from '../fixtures.ts'

const IMPATIENT = { sqlite: { busyTimeout: 20 } }

describe('a SQLite store during an outage', { timeout: 60_000 }, () => {
  it('is unavailable for writes while another process holds the write lock, and can still read', async () => {
    await using database = await emptySqlite()
    await using store = await database.open(IMPATIENT)
    await store.incidents.save([created(1)], NOW)
    using other = new DatabaseSync(database.path)
    other.exec('BEGIN EXCLUSIVE')
    await assert.rejects(store.incidents.save([created(2)], NOW), (error) => {
      assert(error instanceof StoreUnavailable)
      assert.match(error.message, /SQLITE_BUSY/)
      assert(error.cause instanceof Error)
      return true
    })
    await assert.rejects(claimAs(store.idempotency, 'a', NOW), StoreUnavailable)
    assert.equal((await documentsOf(await store.incidents.snapshot())).length, 1)
    other.exec('COMMIT')
    assert.equal((await store.incidents.save([created(2)], NOW))[0]?.seq, 2)
  })

  it('cannot be opened while another process has locked the file, and can be afterwards', async () => {
    await using database = await emptySqlite()
    await (await database.open())[Symbol.asyncDispose]()
    const other = new DatabaseSync(database.path)
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE log_head SET seq = seq; COMMIT')
    await assert.rejects(database.open(IMPATIENT), StoreUnavailable)
    other.close()
    await using store = await database.open(IMPATIENT)
    assert.equal((await store.events.head()).seq, 0)
  })

  it('cannot be opened if its folder cannot be created', async () => {
    await using database = await emptySqlite()
    await writeFile(join(database.directory, 'made'), 'a file where a folder should be')
    await assert.rejects(database.open(), StoreUnavailable)
  })

  it('is full if the index of its log cannot grow, and stays open for reading', () => {
    const error = Object.assign(new Error('disk I/O error'), { errcode: 4874 })
    assert.ok(toStoreError(error) instanceof StoreFull)
    assert.equal(needsReopen(error), false)
    assert.equal(needsReopen(Object.assign(new Error('disk I/O error'), { errcode: 778 })), true)
  })

  it('rolls back a save that does not fit on the disk', () => {
    using database = new Database(new DatabaseSync(':memory:'))
    migrate(database)
    const save = (plan: WritePlan) => database.perform(incidents.save(plan))
    database.script('PRAGMA max_page_count = 40')
    const changes = Array.from({ length: 500 }, (_, index) => created(index))
    assert.throws(
      () => save(planWrite(changes, NOW)),
      (error) => toStoreError(error) instanceof StoreFull && /SQLITE_FULL/.test(String(toStoreError(error))),
    )
    assert.equal(database.perform(incidents.find(incidentId(0))), null)
    database.script('PRAGMA max_page_count = 40000')
    assert.equal(save(planWrite(changes, NOW)).seq, 500)
  })
})

describe("a SQLite store's thread", { timeout: 60_000 }, () => {
  it('rejects its calls when it dies, and is replaced', async () => {
    await using database = await emptySqlite()
    const { store, worker } = await openWithWorker(database)
    await store.incidents.save([created(1)], NOW)
    const snapshot = await store.incidents.snapshot()
    const pending = Array.from({ length: 5 }, () => store.events.head())
    const dead = once(worker, 'exit')
    worker.terminate()
    for (const outcome of await Promise.allSettled(pending)) {
      if (outcome.status === 'rejected') assert(outcome.reason instanceof StoreUnavailable)
    }
    await dead
    assert.deepEqual(await store.events.head(), { seq: 1, at: NOW })
    await assert.rejects(documentsOf(snapshot), StoreUnavailable)
    assert.equal((await store.incidents.save([created(2)], NOW))[0]?.seq, 2)
    await store[Symbol.asyncDispose]()
  })

  it('is not replaced if the database was in memory, because the new one would be empty', async () => {
    await using database = await emptyMemory()
    const { store, worker } = await openWithWorker(database)
    await worker.terminate()
    await assert.rejects(store.events.head(), StoreUnusable)
    await store[Symbol.asyncDispose]()
  })

  it('may be closed while it dies', async () => {
    await using database = await emptySqlite()
    const { store, worker } = await openWithWorker(database)
    worker.terminate()
    await store[Symbol.asyncDispose]()
  })
})

describe('an unusable SQLite file', { timeout: 60_000 }, () => {
  it('is refused if it is not a database', async () => {
    await using database = await emptySqlite()
    await mkdir(dirname(database.path), { recursive: true })
    await writeFile(database.path, 'This is a text about a database. '.repeat(400))
    await assert.rejects(
      database.open(),
      (error) => error instanceof StoreUnusable && /is not a SQLite database; .*restore/.test(error.message),
    )
  })

  it('is refused if half of it is missing', async () => {
    await using database = await filledHome()
    await truncate(database.path, 60_000)
    await assert.rejects(database.open(), StoreUnusable)
  })

  it('is detected if its pages are damaged', async () => {
    await using database = await filledHome()
    const file = await open(database.path, 'r+')
    const { size } = await file.stat()
    await file.write(Buffer.alloc(size - 4_096, 0xa5), 0, size - 4_096, 4_096)
    await file.close()
    await assert.rejects(database.open(), StoreUnusable)
  })
})

async function openWithWorker(database: EmptyDatabase) {
  const created = once(process, 'worker') as Promise<[Worker]>
  const store = await database.open({ sqlite: { threads: newThreads } })
  const [worker] = await created
  return { store, worker }
}

async function filledHome() {
  const database = await emptySqlite()
  await using store = await database.open()
  await store.incidents.save(
    Array.from({ length: 300 }, (_, index) => created(index)),
    NOW,
  )
  return database
}
