import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { coarsePointIn } from '../../../../src/desk/desk/redaction/coarse-point.ts'
import { finishRedactions } from '../../../../src/desk/desk/redaction/finish-redactions.ts'
import { redactIncident } from '../../../../src/desk/desk/redaction/redact.ts'
import { openGeography } from '../../../../src/geo/geography.ts'
import { openStore } from '../../../../src/store/open.ts'
import { type Store, StoreFull, StoreUnavailable } from '../../../../src/store/store.ts'
import { emptySqlite } from '../../../store/empty-database.ts'
import { claimAs, created, NOW, updated } from '../../../store/fixtures.ts'
import { filesWith } from '../../../support/databases/search-database.ts'
import { smallDisk } from '../../../support/databases/small-disk.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { incidentId } from '../../../support/incident.ts'

const NAME = 'Hauwa Tsamiya'
const WORD = 'tsamiya'
const MINUTE = 60_000

/** Commits a redaction and goes no further, as a process that is killed then. */
async function redactOnly(store: Store): Promise<void> {
  await store.incidents.save([created(1, { summary: NAME })], NOW)
  await store.incidents.save([updated(1, 2, { summary: NAME })], NOW)
  const by = { key_id: 'key_1', account_id: 'acc_1', name: 'Desk' }
  const decision = { by, reason: 'Asked for.', expected: null, now: NOW }
  await redactIncident(
    incidentId(1),
    { fields: [], words: [NAME] },
    decision,
    store,
    coarsePointIn(openGeography(null)),
    (write) => store.redactions.apply(write, NOW),
  )
}

describe('what a redaction leaves behind', () => {
  it('is removed after a crash, by the next process', async () => {
    await using database = await emptySqlite()
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'crashed.db')
    {
      await using store = await database.open()
      await redactOnly(store)
      assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, null)
      // The files as a killed process leaves them.
      for (const suffix of ['', '-wal']) await copyFile(database.path + suffix, path + suffix)
    }
    assert.deepEqual(filesWith(path, WORD), [`${path}-wal`])
    await using store = await openStore(`sqlite:${path}`)
    await finishRedactions(store, NOW + MINUTE)
    assert.deepEqual(filesWith(path, WORD), [])
    assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, NOW + MINUTE)
  })

  it('stays on the list while the log is being read, and is removed afterwards', async () => {
    await using database = await emptySqlite()
    await using store = await database.open({ sqlite: { busyTimeout: 50 } })
    await redactOnly(store)
    {
      using reader = new DatabaseSync(database.path, { readOnly: true })
      reader.exec('BEGIN')
      reader.prepare('SELECT count(*) FROM events').get()
      await assert.rejects(finishRedactions(store, NOW + MINUTE), StoreUnavailable)
      assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, null)
      assert.equal((await store.redactions.unsettled(10)).length, 1)
    }
    await finishRedactions(store, NOW + 2 * MINUTE)
    assert.deepEqual(filesWith(database.path, WORD), [])
  })

  it('waits for room on the disk, and does not fill it', async (context) => {
    const disk = await smallDisk(8)
    if (typeof disk === 'string') return context.skip(disk)
    await using _ = disk
    const path = join(disk.path, 'feed.db')
    await using store = await openStore(`sqlite:${path}`)
    await redactOnly(store)
    await disk.fill()
    await assert.rejects(finishRedactions(store, NOW + MINUTE), StoreFull)
    assert.equal((await store.redactions.unsettled(10))[0]!.erasedAt, null)
    await disk.free()
    await finishRedactions(store, NOW + MINUTE)
    assert.deepEqual(filesWith(path, WORD), [])
  })

  it('that was answered late is erased once that is possible, even if the first try fails', async () => {
    await using database = await emptySqlite()
    await using store = await database.open({ sqlite: { busyTimeout: 50 } })
    const claim = { id: 'a', token: 'holder' }
    await claimAs(store.idempotency, 'a', NOW, claim)
    await redactOnly(store)
    await finishRedactions(store, NOW + MINUTE)
    // An answer on its way at the moment of the redaction.
    assert.ok(await store.idempotency.finish(claim, Buffer.from(NAME), incidentId(1)))
    {
      using reader = new DatabaseSync(database.path, { readOnly: true })
      reader.exec('BEGIN')
      reader.prepare('SELECT count(*) FROM events').get()
      await assert.rejects(finishRedactions(store, NOW + MINUTE), StoreUnavailable)
    }
    assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, null)
    await finishRedactions(store, NOW + 2 * MINUTE)
    assert.deepEqual(filesWith(database.path, WORD), [])
    assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, NOW + 2 * MINUTE)
  })

  it('is looked for until two minutes have passed: a message may have been on its way', async () => {
    await using database = await emptySqlite()
    await using store = await database.open()
    await redactOnly(store)
    await finishRedactions(store, NOW + MINUTE)
    assert.equal((await store.redactions.unsettled(10)).length, 1)
    await finishRedactions(store, NOW + 2 * MINUTE)
    assert.deepEqual(await store.redactions.unsettled(10), [])
    assert.equal((await store.redactions.list(incidentId(1)))[0]!.erasedAt, NOW + MINUTE)
  })
})
