import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import type { RedactionRecord } from '../../../src/domain/redaction.ts'
import { LINK_LENGTH, type RedactionWrite, StaleVersion, type Store } from '../../../src/store/store.ts'
import { anImportReport } from '../../desk/importing/harness.ts'
import { incidentId } from '../../support/incident.ts'
import type { EmptyDatabase } from '../databases.ts'
import {
  created,
  documentsOf,
  imported,
  NOW,
  reported,
  retracted,
  seeded,
  until,
  updated,
  watchId,
  wholeLog,
  withWatches,
} from '../fixtures.ts'

export function eventsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the event log', () => {
    it('begins at 0', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.deepEqual(await store.events.head(), { seq: 0, at: 0, link: '' })
      assert.deepEqual(await store.events.after(0, 10), [])
    })

    it('is read in pages from any position', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const number of [1, 2, 3, 4, 5]) await store.incidents.save([created(number)], NOW)
      const seqs = async (seq: number, limit: number) =>
        (await store.events.after(seq, limit)).map((event) => event.seq)
      assert.deepEqual(await seqs(0, 2), [1, 2])
      assert.deepEqual(await seqs(2, 10), [3, 4, 5])
      assert.deepEqual(await seqs(5, 10), [])
      assert.deepEqual(await seqs(99, 10), [])
    })

    it('keeps each document as of its event, but an imported one in its current state', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), imported(2)], NOW)
      await store.incidents.save([updated(1, 2), updated(2, 2)], NOW)
      await store.incidents.save([retracted(1, 3)], NOW)
      const events = await store.events.after(0, 10)
      assert.deepEqual(
        events.map(({ kind, document }) => [kind, JSON.parse(document).version]),
        [
          ['incident.created', 1],
          ['incident.imported', 2],
          ['incident.updated', 2],
          ['incident.updated', 2],
          ['incident.retracted', 3],
        ],
      )
    })

    it('has times that never decrease, even if the clock is set back', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const now of [NOW, NOW - 5_000, NOW + 1, NOW]) {
        const number = (await store.events.head()).seq + 1
        await store.incidents.save([created(number)], now)
      }
      const events = await store.events.after(0, 10)
      assert.deepEqual(
        events.map((event) => event.at),
        [NOW, NOW, NOW + 1, NOW + 1],
      )
    })

    it('leaves a time far in the future once the clock is right again, but not for a clock of long ago', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const year = 365 * 86_400_000
      for (const now of [NOW + 10 * year, NOW, NOW - 3_600_000, 0, NOW + 1]) {
        const number = (await store.events.head()).seq + 1
        await store.incidents.save([created(number)], now)
      }
      const events = await store.events.after(0, 10)
      assert.deepEqual(
        events.map((event) => event.at),
        [NOW + 10 * year, NOW, NOW, NOW, NOW + 1],
      )
    })

    it('notifies listeners after an append, until they unsubscribe', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      let woken = 0
      let others = 0
      const stop = store.events.onAppend(() => woken++)
      const stopOther = store.events.onAppend(() => others++)
      await store.incidents.save([created(1)], NOW)
      await until(() => woken > 0 && others > 0)
      stop()
      const before = { woken, others }
      await store.incidents.save([created(2)], NOW)
      await until(() => others > before.others)
      assert.equal(woken, before.woken)
      stopOther()
      stopOther()
    })

    it('notifies listeners of another store on the same database', async (test) => {
      await using database = await newDatabase()
      if (!database.shared) return test.skip('the database cannot be shared')
      await using store = await database.open()
      await using other = await database.open({ sqlite: { pollInterval: 5 } })
      let seen = 0
      const stop = other.events.onAppend(async () => {
        seen = (await other.events.head()).seq
      })
      for (const number of [1, 2, 3]) {
        await store.incidents.save([created(number)], NOW)
        await until(() => seen === number)
      }
      stop()
    })

    it('returns the document of an incident before an event', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1, { summary: 'First' })], NOW)
      await store.incidents.save([imported(2)], NOW)
      await store.incidents.save([updated(1, 2, { summary: 'Second' })], NOW)
      const summaryBefore = async (number: number, seq: number) => {
        const document = await store.events.documentBefore(incidentId(number), seq)
        return document === null ? null : (JSON.parse(document) as { summary: string }).summary
      }
      assert.equal(await summaryBefore(1, 4), 'Second')
      assert.equal(await summaryBefore(1, 3), 'First')
      assert.equal(await summaryBefore(1, 1), null)
      assert.equal(await summaryBefore(2, 9), null, 'an import')
    })

    it('returns the versions of an incident before an event, newest first', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1, { summary: 'First' }), imported(2)], NOW)
      await store.incidents.save([updated(1, 2, { summary: 'Second' })], NOW)
      await store.incidents.save([created(3), updated(1, 3, { summary: 'Third' })], NOW)
      const versionsBefore = async (number: number, seq: number, limit = 10) =>
        (await store.events.versionsBefore(incidentId(number), seq, limit)).map(({ seq, document }) => [
          seq,
          (JSON.parse(document) as { summary: string }).summary,
        ])
      assert.deepEqual(await versionsBefore(1, 5), [
        [3, 'Second'],
        [1, 'First'],
      ])
      assert.deepEqual(await versionsBefore(1, 5, 1), [[3, 'Second']])
      assert.deepEqual(await versionsBefore(1, 1), [])
      assert.deepEqual(await versionsBefore(2, 9), [], 'an import')
    })
  })
}

export function chainConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the chain of the log', () => {
    it('links every event to the one before, whatever wrote it', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withContent(store)
      await store.incidents.save([imported(3), retracted(2, 2)], NOW)
      await store.redactions.apply(await writeOf(store), NOW)
      assert.deepEqual(await stateOf(store), [
        '1 linked redacted',
        '2 linked intact',
        '3 linked redacted',
        '4 linked intact',
        '5 linked intact',
        '6 linked intact',
      ])
      const links = (await wholeLog(store)).map(({ link }) => link)
      assert.equal(new Set(links).size, 6)
      assert.ok(links.every((link) => link?.length === LINK_LENGTH))
      assert.deepEqual(await Promise.all([1, 6, 7].map(store.events.linkOf)), [links[0], links[5], null])
      assert.equal((await store.events.head()).link, links[5])
    })

    it('shows every change that was made past the service, at the event or behind it', async (test) => {
      const changes: [sql: string, seq: number][] = [
        ["UPDATE events SET document = replace(document, 'Tsamiya', 'Nobody') WHERE seq = 3", 3],
        ["UPDATE events SET kind = 'incident.created' WHERE seq = 3", 3],
        ['UPDATE events SET at = at + 1 WHERE seq = 3', 3],
        [`UPDATE events SET incident_id = '${incidentId(2)}' WHERE seq = 3`, 3],
        ["UPDATE events SET link = '' WHERE seq = 3", 3],
        ['UPDATE events SET seal = substr(seal, 12) WHERE seq = 3', 3],
        ['UPDATE events SET seal = (SELECT seal FROM events WHERE seq = 4) WHERE seq = 3', 3],
        ['DELETE FROM events WHERE seq = 3', 4],
        ['UPDATE events SET seq = 9 WHERE seq = 5', 9],
        [
          'INSERT INTO events (seq, kind, at, incident_id, document) SELECT 0, kind, at, incident_id, document FROM events WHERE seq = 3',
          0,
        ],
      ]
      for (const [sql, seq] of changes) {
        await using database = await newDatabase()
        if (!database.shared) return test.skip('the database cannot be shared')
        await using store = await database.open()
        await withContent(store)
        await store.incidents.save([created(4), created(5)], NOW)
        assert.ok((await stateOf(store)).every((state) => state.endsWith('linked intact')))
        await database.execute(sql)
        const faults = (await stateOf(store, -1)).filter((state) => !state.endsWith('linked intact'))
        assert.equal(Number.parseInt(faults[0] ?? '', 10), seq, `${sql}: ${faults.join('; ')}`)
      }
    })

    it('gives older events their links while new ones are written, in any steps', async (test) => {
      for (const step of [1, 3, 100]) {
        await using database = await newDatabase()
        if (!database.shared) return test.skip('the database cannot be shared')
        await using store = await database.open()
        await withContent(store)
        await database.execute(WITHOUT_LINKS)
        assert.equal((await store.events.head()).link, '')
        await store.incidents.save([created(4)], NOW)
        await store.chain.fork(null, NOW)
        await store.redactions.apply(await writeOf(store), NOW)
        assert.equal((await wholeLog(store)).at(-1)!.link, '')
        for (let number = 5; (await store.chain.linkMore(step, NOW)) > 0; number++)
          if (number < 8) await store.incidents.save([created(number)], NOW)
        await store.incidents.save([created(9)], NOW)
        const states = await stateOf(store)
        assert.ok(states.length > 5 && states.every((state) => state.endsWith(' linked intact')), states.join())
        assert.match((await store.events.head()).link, FORKED)
        assert.equal(await store.chain.linkMore(step, NOW), 0)
      }
    })

    it('goes on elsewhere after a fork, and so do the messages of watches', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await store.incidents.save([created(1), created(2)], NOW)
      const before = await store.events.head()
      const head = await store.chain.fork(null, NOW + 1)
      assert.deepEqual([head.seq, head.link.slice(0, LINK_LENGTH)], [2, before.link])
      assert.match(head.link, FORKED)
      const sequence = async () => (await store.watches.find('acc_1', watchId(1)))!.sequence
      assert.ok((await sequence()) >= NOW, 'no restore has given such numbers before')
      await store.incidents.save([created(3)], NOW)
      const [first] = await store.chain.forks()
      assert.deepEqual([first!.afterSeq, first!.seenSeq, first!.at], [2, null, NOW + 1])
      const second = await store.chain.fork(7, NOW + 2)
      assert.equal(second.seq, 3)
      await store.incidents.save([created(4)], NOW)
      assert.deepEqual(
        await stateOf(store),
        [1, 2, 3, 4].map((seq) => `${seq} linked intact`),
      )
      const forks = await store.chain.forks()
      assert.deepEqual(
        forks.map(({ afterSeq, seenSeq }) => [afterSeq, seenSeq]),
        [
          [2, null],
          [3, 7],
        ],
      )
      const suffixes = (await wholeLog(store)).map(({ link }) => link!.slice(LINK_LENGTH))
      assert.deepEqual(suffixes, ['', '', `.${forks[0]!.id}`, `.${forks[1]!.id}`])
    })

    it('notes a loss at the fork where it was, or at a new one, once for all nodes', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const found = async () => (await store.chain.forks()).map(({ afterSeq, seenSeq }) => [afterSeq, seenSeq])
      await store.incidents.save([created(1), created(2)], NOW)
      for (const seenSeq of [4, 5, 3]) await store.chain.recordLoss(2, { seq: seenSeq, link: '' }, NOW)
      assert.deepEqual(await found(), [[2, 5]])
      await store.incidents.save([created(3), created(4), created(5), created(6)], NOW)
      await store.chain.recordLoss(2, { seq: 6, link: '' }, NOW)
      assert.deepEqual(await found(), [[2, 6]])
      await store.chain.fork(null, NOW)
      await store.chain.recordLoss(5, { seq: 9, link: '' }, NOW)
      await store.chain.recordLoss(null, { seq: 8, link: '' }, NOW)
      assert.deepEqual(await found(), [
        [2, 6],
        [6, 9],
      ])
    })

    it('notes a loss where it was, though the log has gone on, and not at a fork that was there before', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), created(2)], NOW)
      await store.chain.fork(null, NOW)
      await store.incidents.save([created(3), created(4)], NOW)
      const { link } = await store.events.head()
      await store.chain.recordLoss(null, { seq: 8, link }, NOW)
      await store.chain.recordLoss(3, { seq: 8, link }, NOW)
      await store.incidents.save([created(5)], NOW)
      const forks = await store.chain.forks()
      assert.deepEqual(
        forks.map(({ afterSeq, headSeq, seenSeq }) => [afterSeq, headSeq, seenSeq]),
        [
          [2, 2, null],
          [3, 4, 8],
        ],
      )
      assert.deepEqual(
        await stateOf(store),
        [1, 2, 3, 4, 5].map((seq) => `${seq} linked intact`),
      )
    })

    it('is followed only by who has its last event', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), created(2), created(3)], NOW)
      const links = (await wholeLog(store)).map(({ link }) => link!)
      const follow = async (seq: number, link: string) =>
        (await store.events.followHead({ seq, link }, 10))?.map((event) => event.seq) ?? null
      assert.deepEqual(await follow(0, ''), [1, 2, 3])
      assert.deepEqual(await follow(2, links[1]!), [3])
      assert.deepEqual(await follow(2, `${links[1]}.aB3_x9`), [3], 'with a fork that came behind it')
      assert.deepEqual(await follow(2, ''), [3], 'the link is not known')
      assert.deepEqual(await follow(3, links[2]!), [])
      assert.equal(await follow(2, links[2]!), null)
      assert.equal(await follow(4, links[2]!), null)
      assert.equal(await follow(4, ''), null)
      assert.deepEqual(
        (await store.events.followHead({ seq: 0, link: '' }, 2))?.map(({ seq }) => seq),
        [1, 2],
      )
      assert.deepEqual(
        (await store.events.followHead({ seq: 1, link: links[0]! }, 1))?.map(({ seq }) => seq),
        [2],
      )
    })

    it('is followed through a gap that a restore has left before there were links', async (test) => {
      await using database = await newDatabase()
      if (!database.shared) return test.skip('the database cannot be shared')
      await using store = await database.open()
      await store.incidents.save([created(1)], NOW)
      await database.execute(`${WITHOUT_LINKS}; UPDATE log_head SET seq = 11;
        INSERT INTO log_forks (number, id, after_seq, head_seq, seen_seq, at) VALUES (1, '', 1, 1, 11, 0)`)
      assert.deepEqual(await store.events.followHead({ seq: 11, link: '' }, 10), [])
      await store.incidents.save([created(2)], NOW)
      await store.chain.linkMore(100, NOW)
      assert.deepEqual(
        (await store.events.followHead({ seq: 11, link: '' }, 10))?.map(({ seq }) => seq),
        [12],
      )
      assert.equal(await store.events.followHead({ seq: 13, link: '' }, 10), null)
      assert.deepEqual(await stateOf(store), ['1 linked intact', '12 linked intact'])
    })
  })
}

const WITHOUT_LINKS = "UPDATE events SET link = NULL, seal = NULL; UPDATE log_head SET link = '', linked_seq = 0"
const FORKED = /\.[\w-]{6}$/

async function stateOf(store: Store, after = 0): Promise<string[]> {
  const verified = await store.chain.verify({ seq: after, link: '' }, 1000)
  return verified.map(({ seq, isLinked, seal }) => `${seq} ${isLinked ? 'linked' : 'broken'} ${seal}`)
}

export function snapshotsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('a snapshot', () => {
    it('of nothing is empty', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const snapshot = await store.incidents.snapshot()
      assert.deepEqual(snapshot.head, { seq: 0, at: 0, link: '' })
      assert.deepEqual(snapshot.retracted, [])
      assert.deepEqual(await documentsOf(snapshot), [])
    })

    it('has public incidents only, and the ids of retracted ones', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), reported(2), created(3), created(4)], NOW)
      await store.incidents.save([retracted(3, 2), updated(4, 2, { summary: 'ẹ̀kọ́' })], NOW)
      const snapshot = await store.incidents.snapshot()
      assert.deepEqual(snapshot.head, { seq: 5, at: NOW, link: await store.events.linkOf(5) })
      assert.deepEqual(snapshot.retracted, [incidentId(3)])
      assert.deepEqual(await documentsOf(snapshot), [
        JSON.stringify(created(1).incident),
        JSON.stringify(updated(4, 2, { summary: 'ẹ̀kọ́' }).incident),
      ])
    })

    it('is in published order, then by the bytes of the id, over many chunks', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const random = seeded(7)
      const incidents = Array.from({ length: 3_000 }, (_, number) => {
        // Few distinct times, so that many have the same; capitals and minus sort differently in a
        // dictionary order.
        const published_at = new Date(NOW + Math.floor(random() * 40)).toISOString()
        const id = `inc_${'aBz-_A9é'[Math.floor(random() * 8)]}${number}`
        return created(number, { id, published_at, summary: 'é'.repeat(Math.floor(random() * 2_000)) })
      })
      await store.incidents.save(incidents, NOW)
      const documents = await documentsOf(await store.incidents.snapshot())
      const expected = incidents.map((change) => change.incident).sort(inPublishedOrder)
      assert.deepEqual(
        documents,
        expected.map((incident) => JSON.stringify(incident)),
      )
    })

    it('includes times before 1970', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const early = created(1, { published_at: '1967-07-06T00:00:00.000Z' })
      await store.incidents.save([created(2), early], NOW)
      const documents = await documentsOf(await store.incidents.snapshot())
      assert.deepEqual(documents[0], JSON.stringify(early.incident))
    })

    it('stays as of its seq while others write', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await using other = database.shared ? await database.open() : null
      const writer = other ?? store
      const first = Array.from({ length: 4_000 }, (_, number) => created(number + 1))
      await store.incidents.save(first, NOW)
      const snapshot = await store.incidents.snapshot()
      let written = 4_000
      const documents: string[] = []
      for await (const { bytes, ends } of snapshot.chunks) {
        await writer.incidents.save(
          [created(++written), updated(written - 4_000, 2), retracted(4_000 - written + 4_001, 2)],
          NOW,
        )
        let start = 0
        for (const end of ends) {
          documents.push(Buffer.from(bytes.subarray(start, end)).toString())
          start = end
        }
      }
      assert(written > 4_002, 'there were several chunks to write between')
      assert.equal(snapshot.head.seq, 4_000)
      assert.deepEqual(
        documents,
        first.map((change) => JSON.stringify(change.incident)),
      )
    })

    it('may be closed in the middle or before the first chunk, and leaves nothing open', async () => {
      await using database = await newDatabase()
      await using store = await database.open({ postgres: { connections: 2 } })
      await store.incidents.save([created(1)], NOW)
      for (let round = 0; round < 5; round++) {
        const unread = await store.incidents.snapshot()
        await unread.chunks[Symbol.asyncIterator]().return?.()
        const started = await store.incidents.snapshot()
        for await (const _ of started.chunks) break
      }
      assert.equal((await store.incidents.find(incidentId(1)))?.id, incidentId(1))
    })

    it('may be read at the same time as another', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1)], NOW)
      const one = await store.incidents.snapshot()
      await store.incidents.save([created(2)], NOW)
      const two = await store.incidents.snapshot()
      assert.deepEqual([one.head.seq, two.head.seq], [1, 2])
      assert.equal((await documentsOf(two)).length, 2)
      assert.equal((await documentsOf(one)).length, 1)
    })
  })
}

function inPublishedOrder(a: Incident, b: Incident): number {
  const byTime = Date.parse(a.published_at!) - Date.parse(b.published_at!)
  return byTime || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
}

const BY = { key_id: 'key_1', account_id: 'acc_1', name: 'Desk Kaduna' }
const SECRET = 'Hauwa Tsamiya'

export function aRecord(changes: Partial<RedactionRecord> = {}): RedactionRecord {
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
