import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RedactionRecord } from '../../../src/domain/redaction.ts'
import { type RedactionWrite, StaleVersion, type Store } from '../../../src/store/store.ts'
import { anImportReport } from '../../desk/importing/harness.ts'
import { incidentId } from '../../support/incident.ts'
import type { EmptyDatabase } from '../empty-database.ts'
import { created, NOW, updated, wholeLog } from '../fixtures.ts'

const BY = { key_id: 'key_1', account_id: 'acc_1', name: 'Desk Kaduna' }
const SECRET = 'Hauwa Tsamiya'

function aRecord(changes: Partial<RedactionRecord> = {}): RedactionRecord {
  return {
    id: 'red_1',
    incidentId: incidentId(1),
    incidentIds: [incidentId(1)],
    at: NOW,
    by: BY,
    fields: ['summary'],
    found: [],
    reason: 'asked for',
    erasedAt: null,
    ...changes,
  }
}

/** Two versions of incident 1 with a note, and another incident, all with the same name. */
async function withContent(store: Store): Promise<void> {
  const entry = {
    id: 'stp_1',
    step: 'update',
    version: 2,
    at: NOW,
    by: BY,
    note: SECRET,
    fields: ['summary'],
    changes: [{ field: 'summary', old: SECRET, new: SECRET }],
    other: null,
  } as const
  await store.incidents.save([created(1, { summary: SECRET }), created(2, { summary: SECRET })], NOW)
  await store.incidents.save([{ ...updated(1, 2, { summary: SECRET }), historyEntry: entry }], NOW)
}

async function writeOf(store: Store, changes: Partial<RedactionWrite> = {}): Promise<RedactionWrite> {
  const read = await store.redactions.read([incidentId(1)])
  return {
    record: aRecord(),
    read,
    events: read.events.map((event) => ({ ...event, document: event.document.replaceAll(SECRET, 'X') })),
    contacts: [],
    historyEntries: read.historyEntries.map((entry) => ({
      ...entry,
      note: 'X',
      changes: [{ field: 'summary', old: 'X', new: 'X' }],
    })),
    changes: [updated(1, 3, { summary: 'X' })],
    ...changes,
  }
}

export function redactionsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('redactions', () => {
    it('forgets the text that an import has kept to be undone', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const report = anImportReport()
      await store.imports.begin({ id: 'imp_a', startedAt: NOW, updatedAt: NOW, state: 'finished', report })
      await store.incidents.save([created(1, { summary: SECRET })], NOW)
      await store.incidents.save([updated(1, 2, { summary: SECRET })], NOW, {
        checkpoint: null,
        run: { id: 'imp_a', state: 'finished', report },
        changes: [{ incidentId: incidentId(1), outcome: 'updated', version: 2, poorerFields: [] }],
        undone: [],
      })
      assert.match((await store.imports.changes('imp_a', null, 1))[0]!.before!.document, new RegExp(SECRET))
      await store.redactions.apply(await writeOf(store), NOW)
      assert.equal((await store.imports.changes('imp_a', null, 1))[0]!.before, null)
    })

    it('reads everything that is stored about an incident, and nothing of others', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withContent(store)
      const { records, events, historyEntries } = await store.redactions.read([incidentId(1)])
      assert.deepEqual(
        records.map(({ incident }) => [incident.id, incident.version]),
        [[incidentId(1), 2]],
      )
      assert.deepEqual(
        events.map(({ seq, incidentId }) => [seq, incidentId]),
        [
          [1, incidentId(1)],
          [3, incidentId(1)],
        ],
      )
      assert.deepEqual(
        historyEntries.map(({ note, changes }) => [note, changes]),
        [[SECRET, [{ field: 'summary', old: SECRET, new: SECRET }]]],
      )
    })

    it('rewrites documents and notes, appends a marked event, and keeps the numbers of the log', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withContent(store)
      const before = await wholeLog(store)
      const appended = await store.redactions.apply(await writeOf(store), NOW + 1)
      const log = await wholeLog(store)
      assert.deepEqual(
        log.slice(0, 3).map(({ seq, kind, at, incidentId }) => [seq, kind, at, incidentId]),
        before.map(({ seq, kind, at, incidentId }) => [seq, kind, at, incidentId]),
      )
      assert.deepEqual(log.slice(3), appended)
      assert.deepEqual(
        log.map(({ redacted, document }) => [redacted ?? false, document.includes(SECRET)]),
        [
          [false, false],
          [false, true],
          [false, false],
          [true, false],
        ],
      )
      const [entry] = await store.incidents.history(incidentId(1))
      assert.deepEqual([entry!.note, entry!.changes], ['X', [{ field: 'summary', old: 'X', new: 'X' }]])
      assert.equal((await store.incidents.find(incidentId(1)))!.summary, 'X')
    })

    it('writes nothing if a version or a note was added since the read', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withContent(store)
      const write = await writeOf(store)
      await store.incidents.save([updated(1, 3, { summary: SECRET })], NOW)
      const before = await wholeLog(store)
      await assert.rejects(store.redactions.apply(write, NOW + 1), StaleVersion)
      assert.deepEqual(await wholeLog(store), before)
      assert.deepEqual(await store.redactions.list(incidentId(1)), [])
    })

    it('records the redaction until it is settled', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withContent(store)
      await store.redactions.apply(await writeOf(store), NOW + 1)
      assert.deepEqual(await store.redactions.list(incidentId(1)), [aRecord()])
      assert.deepEqual(await store.redactions.list(incidentId(2)), [])
      assert.deepEqual(await store.redactions.unsettled(10), [{ id: 'red_1', at: NOW, erasedAt: null }])
      await store.redactions.recordErased('red_1', NOW + 5, false)
      assert.deepEqual(await store.redactions.unsettled(10), [{ id: 'red_1', at: NOW, erasedAt: NOW + 5 }])
      await store.redactions.recordErased('red_1', NOW + 5, true)
      assert.deepEqual(await store.redactions.unsettled(10), [])
      assert.deepEqual(await store.redactions.list(incidentId(1)), [aRecord({ erasedAt: NOW + 5 })])
    })

    it('forgets stored answers that mention the incident, were made before, or do not say what they mention', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withContent(store)
      const times = { expiredBefore: 0, lostBefore: 0, lostAfter: NOW * 2 }
      const claim = (id: string, now: number) =>
        store.idempotency.claim(
          { id, subject: 'acc_1', fingerprint: 'f', rights: '', token: `token ${id}` },
          { ...times, now },
        )
      const answers: [id: string, mentions: string | undefined, at: number][] = [
        ['one', `${incidentId(2)} ${incidentId(1)}`, NOW],
        ['other', incidentId(2), NOW],
        ['unknown', undefined, NOW],
        ['nothing', '', NOW],
        ['later', incidentId(1), NOW + 10],
      ]
      for (const [id, mentions, at] of answers) {
        await claim(id, at)
        assert.ok(await store.idempotency.finish({ id, token: `token ${id}` }, new Uint8Array([1]), mentions))
      }
      await store.redactions.apply(await writeOf(store), NOW + 1)
      const states = await Promise.all(answers.map(async ([id]) => [id, (await claim(id, NOW + 20)).state]))
      assert.deepEqual(Object.fromEntries(states), {
        one: 'redacted',
        other: 'finished',
        unknown: 'redacted',
        nothing: 'finished',
        later: 'finished',
      })
    })

    it('can erase at any time', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withContent(store)
      await store.redactions.erase()
      assert.equal((await wholeLog(store)).length, 3)
    })
  })
}
