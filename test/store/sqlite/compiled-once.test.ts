import assert from 'node:assert/strict'
import { constants, DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { MEMORY } from '../../../src/store/files.ts'
import { planWrite } from '../../../src/store/queries/write-plan.ts'
import { openDatabase, type Tables, tablesOf } from '../../../src/store/sqlite/served-database.ts'
import { aKey, anAccount, created, NOW } from '../fixtures.ts'
import { aWatch, LEASE, MAX_WATCHES, NONE_FULL, newDelivery, result } from '../watch-fixtures.ts'

const FILE = { path: MEMORY, busyTimeout: 0 }
const WATCHES = 3
/** A transaction begins and ends with a text of its own each time. */
const UNCOUNTED = [constants.SQLITE_TRANSACTION, constants.SQLITE_SAVEPOINT]

/** Calls of every event, every message and every request of a key; `round` counts from 1. */
const CALLS: Readonly<Record<string, (tables: Tables, round: number) => unknown>> = {
  'incidents.save': ({ incidents }, round) => incidents.save(planWrite([created(round)], NOW)),
  'events.after': ({ events }, round) => events.after(round - 1, 500),
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
