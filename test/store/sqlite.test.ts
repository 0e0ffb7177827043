import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { constants, DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { MAX_WATCHES_PER_AREA } from '../../src/domain/area.ts'
import { MAX_WATCHES_PER_SITE_LIST } from '../../src/domain/sites.ts'
import { MEMORY } from '../../src/store/files.ts'
import { openStore } from '../../src/store/open.ts'
import { incidents } from '../../src/store/queries/incidents.ts'
import { planWrite, type WritePlan } from '../../src/store/queries/write-plan.ts'
import { newThreads } from '../../src/store/sqlite/connection.ts'
import { Database } from '../../src/store/sqlite/database.ts'
import { needsReopen, toStoreError } from '../../src/store/sqlite/errors.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { openDatabase, type Tables, tablesOf } from '../../src/store/sqlite/served-database.ts'
import { StoreFull, StoreUnavailable, StoreUnusable } from '../../src/store/store.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { incidentId } from '../support/incident.ts'
import { type EmptyDatabase, emptyMemory, emptySqlite } from './databases.ts'
import {
  aKey,
  anAccount,
  aWatch,
  claimAs,
  created,
  documentsOf,
  LEASE,
  MAX_WATCHES,
  NONE_FULL,
  NOW,
  newDelivery,
  result,
  watchId,
  withWatches,
} from './fixtures.ts'

describe('opening a store', () => {
  for (const url of ['', 'sqlite:', 'sqlite://feed.db', 'mysql://root:secret@host/feed', 'feed.db', 'postgres:feed']) {
    it(`refuses ${JSON.stringify(url)}, names the valid forms and does not repeat a password`, async () => {
      await assert.rejects(openStore(url), (error) => {
        assert(error instanceof Error)
        assert.match(error.message, /sqlite:path\/to\.db/)
        assert.match(error.message, /postgres:\/\//)
        assert.doesNotMatch(error.message, /secret/)
        return true
      })
    })
  }

  it('does not load the PostgreSQL driver for SQLite', async () => {
    const program = `
      import { createRequire } from 'node:module'
      import { openStore } from ${JSON.stringify(new URL('../../src/store/open.ts', import.meta.url).href)}
      await using store = await openStore('sqlite::memory:')
      const loaded = Object.keys(createRequire(import.meta.url).cache)
      console.log(loaded.some((path) => /node_modules.pg/.test(path)))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    assert.equal(stdout.trim(), 'false')
  })
})

const IMPATIENT = { sqlite: { busyTimeout: 20 } }

describe('a SQLite store during an outage', () => {
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
    await assert.rejects(database.open(), StoreUnusable)
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

describe("a SQLite store's thread", () => {
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
    assert.equal((await store.events.head()).seq, 1)
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

describe('an unusable SQLite file', () => {
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

const FILE = { path: MEMORY, busyTimeout: 0 }
const WATCHES = 3
/** A transaction begins and ends with a text of its own each time. */
const UNCOUNTED = [constants.SQLITE_TRANSACTION, constants.SQLITE_SAVEPOINT]

/** Calls of every event, every message and every request of a key; `round` counts from 1. */
const CALLS: Readonly<Record<string, (tables: Tables, round: number) => unknown>> = {
  'incidents.save': ({ incidents }, round) => incidents.save(planWrite([created(round)], NOW)),
  'events.after': ({ events }, round) => events.after(round - 1, 500),
  'events.followHead': ({ events }, round) => events.followHead({ seq: round, link: '' }, 500),
  'events.documentBefore': ({ events }, round) => events.documentBefore(created(round).incident.id, round),
  'watches.changedAfter': ({ watches }, round) => watches.changedAfter(round, 100 + round),
  'watches.find': ({ watches }) => watches.find('acc_1', aWatch(1).id),
  'fanOut.write': ({ fanOut }, round) => {
    const deliveries = Array.from({ length: WATCHES }, (_, index) => newDelivery(index + 1, round))
    const position = (seq: number) => ({ seq, afterWatchId: null })
    const chunk = { from: position(round - 1), to: position(round), deliveries }
    assert.equal(fanOut.write('one', chunk, NOW, NOW + LEASE)?.length, WATCHES)
  },
  'deliveries.recordAttempts': ({ deliveries }, round) =>
    deliveries.recordAttempts('one', [result(newDelivery(1, round).id, { watchId: aWatch(1).id })], NOW),
  'deliveries.lease': ({ deliveries }, round) =>
    assert.ok(deliveries.lease('two', NOW + round * 2 * LEASE, NOW + LEASE * (2 * round + 1), 10 + round, NONE_FULL)),
  'keys.findByHash': ({ keys }) => assert.ok(keys.findByHash(aKey(1).hash)),
}

describe('a statement that is used for every event, message or request', () => {
  for (const [name, call] of Object.entries(CALLS))
    it(`is compiled once: ${name}`, ({ mock }) => {
      let compiling = 0
      const prepare = DatabaseSync.prototype.prepare
      const watched = new WeakSet<DatabaseSync>()
      mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
        if (!watched.has(this))
          this.setAuthorizer((action) => {
            if (!UNCOUNTED.includes(action)) compiling++
            return constants.SQLITE_OK
          })
        watched.add(this)
        return prepare.call(this, sql)
      })
      using database = openDatabase(FILE)
      const tables = tablesOf(database, FILE)
      tables.accounts.open(anAccount(1), aKey(1))
      for (let number = 1; number <= WATCHES; number++) tables.watches.add(aWatch(number), MAX_WATCHES)
      assert.ok(tables.fanOut.lease('one', NOW, NOW + LEASE))
      const counts: number[] = []
      for (let round = 1; round <= 3; round++) {
        for (const [other, earlier] of Object.entries(CALLS)) {
          if (other === name) break
          earlier(tables, round)
        }
        compiling = 0
        call(tables, round)
        counts.push(compiling)
      }
      assert.ok(counts[0]! > 0, 'it is compiled at its first use')
      assert.equal(counts[2], 0)
    })
})

const MAX = 10_000
const times = { accountId: 'acc_1', createdAt: NOW, updatedAt: NOW }
const AREA = { id: 'are_1', name: 'Depot', shape: '{"near":[10.5,7.4],"radius_km":25}', ...times }
const LIST = { id: 'sit_1', name: 'Depots', size: 1, version: 1, ...times }
const SITE = { name: 'Depot', latitude: 10.5, longitude: 7.4, radiusKm: 5, reference: null }
const given = { given: '{}', canonical: '{}' }

it('an area and a list with as many watches as they take refuse others, and let their own be changed', async () => {
  assert.equal(MAX_WATCHES_PER_AREA, MAX_WATCHES_PER_SITE_LIST)
  await using store = await openMemoryStore()
  await withWatches(store, 0)
  await store.areas.add(AREA, 1)
  await store.siteLists.add(LIST, [SITE], 1)
  const both = { ...given, areaId: AREA.id, siteListId: LIST.id }
  for (let number = 1; number <= MAX_WATCHES_PER_AREA; number++)
    assert.equal(typeof (await store.watches.add(aWatch(number, { filter: both }), MAX)), 'object')
  const next = MAX_WATCHES_PER_AREA + 1
  const { watches } = store
  assert.equal(await watches.add(aWatch(next, { filter: { ...given, areaId: AREA.id } }), MAX), 'area_full')
  assert.equal(await watches.add(aWatch(next, { filter: { ...given, siteListId: LIST.id } }), MAX), 'sites_full')
  const paused = await watches.change('acc_1', watchId(7), { status: 'paused', filter: both }, NOW)
  assert.equal(typeof paused === 'object' && paused?.status, 'paused')
})
