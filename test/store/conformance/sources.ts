import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_MODERATION_RECORD } from '../../../src/domain/moderation.ts'
import { NEVER_POLLED } from '../../../src/domain/sources.ts'
import { TIP_ACTOR } from '../../../src/domain/tips.ts'
import {
  type IncidentChange,
  type ItemWrite,
  StaleVersion,
  type Store,
  type TipAddition,
} from '../../../src/store/store.ts'
import { anIncident } from '../../support/incident.ts'
import type { EmptyDatabase } from '../databases.ts'
import {
  aHistoryEntry,
  anItem,
  anItemWrite,
  aProposal,
  aSource,
  created,
  MAX_SOURCES,
  NOW,
  reported,
} from '../fixtures.ts'
import { aRecord } from './events.ts'

const HOUR = 3_600_000

export function sourcesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('a news source', () => {
    it('is added, found, listed by publisher, changed and removed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      const { urlKey: _, ...source } = aSource(2)
      const added = { ...source, polling: NEVER_POLLED, counts: { items: 0, queued: 0, proposed: 0, confirmed: 0 } }
      assert.deepEqual(await sources.add(aSource(2), MAX_SOURCES), added)
      await sources.add(aSource(1), MAX_SOURCES)
      assert.deepEqual(await sources.find('src_2'), added)
      assert.deepEqual(
        (await sources.list()).map(({ id }) => id),
        ['src_1', 'src_2'],
      )
      const changed = await sources.change('src_2', { paused: true, everyMinutes: 60, publisher: 'Arewa' })
      assert.deepEqual(changed, { ...added, paused: true, everyMinutes: 60, publisher: 'Arewa' })
      assert.deepEqual(await sources.find('src_2'), changed)
      assert.deepEqual(await sources.change('src_2', { paused: false }), { ...(changed as object), paused: false })
      assert.equal(await sources.remove('src_2'), true)
      assert.equal(await sources.remove('src_2'), false)
      assert.equal(await sources.find('src_2'), null)
      assert.equal(await sources.change('src_2', { paused: true }), null)
    })

    it('has an address of its own, and there is a limit to their number', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      await sources.add(aSource(1), MAX_SOURCES)
      assert.equal(await sources.add(aSource(2, { urlKey: 'key 1' }), MAX_SOURCES), 'taken')
      await sources.add(aSource(2), MAX_SOURCES)
      assert.equal(await sources.change('src_2', { url: 'https://x.example.org', urlKey: 'key 1' }), 'taken')
      assert.equal((await sources.find('src_2'))!.url, aSource(2).url)
      assert.equal(await sources.add(aSource(3), 2), 'full')
      const moved = await sources.change('src_2', { url: 'https://x.example.org', urlKey: 'key 2' })
      assert.equal((moved as { url: string }).url, 'https://x.example.org')
    })

    it('is added once if two try at the same moment', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map((number) => store.sources.add(aSource(number, { urlKey: 'the same' }), MAX_SOURCES)),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'taken').length, 3)
      assert.equal((await store.sources.list()).length, 1)
    })

    it('is due in order of time, unless it is paused', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      await sources.add(aSource(1, { dueAt: NOW }), MAX_SOURCES)
      await sources.add(aSource(2, { dueAt: NOW - HOUR }), MAX_SOURCES)
      await sources.add(aSource(3, { dueAt: NOW + 1 }), MAX_SOURCES)
      await sources.add(aSource(4, { dueAt: NOW - HOUR, paused: true }), MAX_SOURCES)
      const due = async (limit: number) => (await sources.due(NOW, limit)).map(({ id }) => id)
      assert.deepEqual(await due(10), ['src_2', 'src_1'])
      assert.deepEqual(await due(1), ['src_2'])
    })

    it('keeps what a poll found, but not if its address has changed meanwhile', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      await sources.add(aSource(1), MAX_SOURCES)
      const polling = {
        ...NEVER_POLLED,
        etag: 'W/"ä"',
        polledAt: NOW,
        failures: 2,
        problem: { code: 'timeout', detail: 'No answer.' },
      } as const
      const { url } = aSource(1)
      await sources.recordPoll({ sourceId: 'src_1', url, polling, dueAt: NOW + HOUR })
      const found = (await sources.find('src_1'))!
      assert.deepEqual([found.polling, found.dueAt], [polling, NOW + HOUR])
      assert.deepEqual(await sources.due(NOW, 10), [])
      await sources.change('src_1', { url: 'https://x.example.org', urlKey: 'x', polling: NEVER_POLLED, dueAt: NOW })
      await sources.recordPoll({ sourceId: 'src_1', url, polling, dueAt: NOW + HOUR })
      const moved = (await sources.find('src_1'))!
      assert.deepEqual([moved.polling, moved.dueAt], [NEVER_POLLED, NOW])
    })

    it('is polled by one owner at a time, until the lease ends or its owner is dead', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources, owners } = store
      assert.equal(await sources.lease('a', NOW, NOW + HOUR), true)
      assert.equal(await sources.lease('b', NOW + 1, NOW + HOUR), false)
      assert.equal(await sources.lease('a', NOW + 1, NOW + HOUR), true)
      assert.equal(await sources.lease('b', NOW + HOUR, NOW + 2 * HOUR), true)
      assert.equal(await sources.lease('a', NOW + HOUR, NOW + 2 * HOUR), false)
      await sources.release('a')
      assert.equal(await sources.lease('a', NOW + HOUR, NOW + 2 * HOUR), false)
      await sources.release('b')
      assert.equal(await sources.lease('a', NOW + HOUR, NOW + 2 * HOUR), true)
      const [heartbeat] = (await owners.recordHeartbeat('a')).heartbeats
      assert.equal(await owners.releaseLeases(heartbeat!, NOW + HOUR, true), true)
      assert.equal(await sources.lease('b', NOW + HOUR, NOW + 2 * HOUR), true)
    })
  })
}

const DAY = 86_400_000
const OWNER = 'poller'

export function itemsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('an item of a source', () => {
    it('is saved once, with its reports and proposals, and counted', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      const report = { ...reported(7), historyEntry: aHistoryEntry() }
      const write = anItemWrite(1, {
        item: anItem(1, { state: 'queued', incidentIds: [report.incident.id] }),
        reports: [{ ...report, moderation: { ...EMPTY_MODERATION_RECORD, origin: 'feed' } }],
      })
      assert.equal(await sources.saveItem(OWNER, write, NOW), true)
      assert.equal(await sources.saveItem(OWNER, write, NOW), false)
      assert.deepEqual(await sources.listItems('src_1', null, null, 10), [write.item])
      assert.deepEqual(await store.incidents.find(report.incident.id), report.incident)
      assert.equal((await store.incidents.history(report.incident.id)).length, 1)
      assert.deepEqual(
        (await store.desk.counts()).map(({ status, origin, entries }) => [status, origin, entries]),
        [['reported', 'feed', 1]],
      )
      const proposal = aProposal(2, { incidentId: report.incident.id })
      const second = anItemWrite(2, {
        item: anItem(2, { state: 'proposed', incidentIds: [report.incident.id] }),
        proposals: [proposal],
      })
      assert.equal(await sources.saveItem(OWNER, second, NOW), true)
      assert.deepEqual(await sources.proposalsFor(report.incident.id), [proposal])
      assert.deepEqual((await sources.find('src_1'))!.counts, { items: 2, queued: 1, proposed: 1, confirmed: 0 })
      await store.incidents.save([{ ...created(7, { version: 2 }), replaces: { version: 1 } }], NOW)
      assert.equal((await sources.find('src_1'))!.counts.confirmed, 1)
      assert.equal((await sources.list())[0]!.counts.confirmed, 1)
    })

    it('is not saved in part: not without the lease, and not if a report exists', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      assert.equal(await sources.saveItem('another', anItemWrite(1, { reports: [reported(1)] }), NOW), false)
      assert.equal(await store.incidents.find(anIncident(1).id), null)
      await store.incidents.save([reported(1)], NOW)
      const clashing = anItemWrite(1, { reports: [reported(2), reported(1)], proposals: [aProposal(1)], bands: [5] })
      await assert.rejects(sources.saveItem(OWNER, clashing, NOW), StaleVersion)
      assert.equal(await store.incidents.find(anIncident(2).id), null)
      assert.deepEqual(await sources.knownItems(['itm_1'], NOW), [])
      assert.deepEqual(await sources.openProposals(null, 10), [])
      assert.equal((await sources.find('src_1'))!.counts.items, 0)
    })

    it('is found by its id, its address, and the bands of its text', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      const bands = [17, 11 * 2 ** 32 + 0xffffffff]
      await sources.saveItem(OWNER, anItemWrite(1, { fingerprint: 'AAAA', bands, gist: 'one' }), NOW)
      await sources.saveItem(OWNER, anItemWrite(2, { fingerprint: 'BBBB', bands: [17], gist: 'two' }), NOW)
      assert.deepEqual(await sources.knownItems(['itm_1', 'itm_3'], NOW), [
        { id: 'itm_1', title: 'Story 1', url: 'https://news.example.org/story/1', urlKey: 'story 1' },
      ])
      assert.equal(await sources.findItemByUrl('story 2'), 'itm_2')
      assert.equal(await sources.findItemByUrl('story 3'), null)
      const similar = (bands: number[], since: number) => sources.similarItems(bands, since, 10)
      assert.deepEqual(await similar([17, 99], NOW), [
        { id: 'itm_2', fingerprint: 'BBBB', gist: 'two' },
        { id: 'itm_1', fingerprint: 'AAAA', gist: 'one' },
      ])
      assert.deepEqual(await similar([bands[1]!], NOW), [{ id: 'itm_1', fingerprint: 'AAAA', gist: 'one' }])
      assert.deepEqual(await similar([17], NOW + 5), [])
      assert.deepEqual(await similar([18], NOW), [])
    })

    it('is listed by state, newest first, in pages', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      for (const number of [1, 2, 3])
        await sources.saveItem(OWNER, anItemWrite(number, { item: anItem(number, { firstSeenAt: NOW }) }), NOW)
      await sources.saveItem(OWNER, anItemWrite(4, { item: anItem(4, { state: 'no_place', url: null }) }), NOW)
      const first = await sources.listItems('src_1', 'no_incident', null, 2)
      assert.deepEqual(
        first.map(({ id }) => id),
        ['itm_3', 'itm_2'],
      )
      const rest = await sources.listItems('src_1', 'no_incident', first[1]!, 2)
      assert.deepEqual(
        rest.map(({ id }) => id),
        ['itm_1'],
      )
      assert.deepEqual(
        (await sources.listItems('src_1', null, null, 10)).map(({ id }) => id),
        ['itm_4', 'itm_3', 'itm_2', 'itm_1'],
      )
      assert.deepEqual(await sources.listItems('src_2', null, null, 10), [])
    })

    it('is kept while its feed shows it, and as long as a proposal of it is open', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      for (const number of [1, 2]) await sources.saveItem(OWNER, anItemWrite(number, { bands: [number] }), NOW)
      await sources.saveItem(OWNER, anItemWrite(3, { proposals: [aProposal(3)] }), NOW)
      await sources.knownItems(['itm_2'], NOW + 3 * DAY)
      assert.equal(await sources.deleteExpired(NOW + 2 * DAY, 10), 1)
      const known = await sources.knownItems(['itm_1', 'itm_2', 'itm_3'], NOW + 3 * DAY)
      assert.deepEqual(known.map(({ id }) => id).sort(), ['itm_2', 'itm_3'])
      assert.deepEqual(await sources.similarItems([1], 0, 10), [])
      assert.equal((await sources.findProposal('prp_3'))!.state, 'open')
    })

    it('takes the words of its copies along when it is redacted', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const report = reported(1)
      await withCopies(store, { reports: [report] })
      const read = await store.redactions.read([report.incident.id])
      const { events, historyEntries } = read
      await store.redactions.apply({ record: aRecord(), read, events, contacts: [], historyEntries, changes: [] }, NOW)
      assert.deepEqual(await titlesOf(store), [
        ['itm_4', false],
        ['itm_3', true],
        ['itm_2', true],
        ['itm_1', true],
      ])
    })

    it('takes them along when it is forgotten, or its source removed', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      await withCopies(store)
      await sources.knownItems(['itm_2', 'itm_4'], NOW + 3 * DAY)
      assert.equal(await sources.deleteExpired(NOW + 2 * DAY, 10), 2)
      assert.deepEqual(await titlesOf(store), [
        ['itm_4', false],
        ['itm_2', true],
      ])
      const copy = anItem(5, { sourceId: 'src_2', state: 'duplicate', duplicateOf: 'itm_4' })
      await sources.saveItem(OWNER, anItemWrite(5, { item: copy }), NOW)
      await sources.remove('src_1')
      assert.deepEqual(await titlesOf(store, 'src_2'), [['itm_5', true]])
    })
  })

  describe('a story without a place', () => {
    it('is listed newest first, in pages, until it is closed', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      const unplaced = { publisher: 'Herald', text: 'The whole story' }
      for (const number of [1, 2, 3])
        await sources.saveItem(
          OWNER,
          anItemWrite(number, { item: anItem(number, { state: 'no_place', firstSeenAt: NOW }), unplaced }),
          NOW,
        )
      const open = async (before: Parameters<typeof sources.openStories>[0], limit: number) =>
        (await sources.openStories(before, limit)).map(({ id }) => id)
      assert.deepEqual(await open(null, 2), ['itm_3', 'itm_2'])
      assert.deepEqual(await open({ foundAt: NOW, id: 'itm_2' }, 2), ['itm_1'])
      const { id, title, url, publishedAt, sourceId } = anItem(3)
      assert.deepEqual((await sources.openStories(null, 1))[0], {
        ...{ id, title, url, publishedAt, sourceId, ...unplaced },
        foundAt: NOW,
        incidentIds: [],
      })
      assert.equal(await sources.closeStory('itm_3', []), true)
      assert.equal(await sources.closeStory('itm_3', []), false)
      assert.deepEqual(await open(null, 9), ['itm_2', 'itm_1'])
      assert.equal((await sources.find('src_1'))!.counts.queued, 0)
      await sources.deleteExpired(NOW + DAY, 9)
      assert.deepEqual(await open(null, 9), [])
    })

    it('leads to the incidents that were filed from it', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      const item = anItem(1, { state: 'no_place' })
      await sources.saveItem(OWNER, anItemWrite(1, { item, unplaced: { publisher: 'Herald', text: 'A story' } }), NOW)
      await store.incidents.save([created(1)], NOW)
      assert.equal(await sources.closeStory('itm_1', [anIncident(1).id]), true)
      const [closed] = await sources.listItems('src_1', null, null, 9)
      assert.deepEqual([closed!.state, closed!.incidentIds], ['queued', [anIncident(1).id]])
      const { queued, confirmed } = (await sources.find('src_1'))!.counts
      assert.deepEqual([queued, confirmed], [1, 1])
    })
  })

  describe('a proposed source', () => {
    it('is listed until it is decided on, together with a change of the incident', async () => {
      await using database = await newDatabase()
      await using store = await polling(database)
      const { sources } = store
      await store.incidents.save([created(1)], NOW)
      for (const number of [1, 2, 3])
        await sources.saveItem(OWNER, anItemWrite(number, { proposals: [aProposal(number)] }), NOW)
      const open = async (before: Parameters<typeof sources.openProposals>[0], limit: number) =>
        (await sources.openProposals(before, limit)).map(({ id }) => id)
      assert.deepEqual(await open(null, 2), ['prp_3', 'prp_2'])
      assert.deepEqual(await open({ proposedAt: NOW + 2, id: 'prp_2' }, 2), ['prp_1'])
      const incident = anIncident(1, { version: 2 })
      const accept = { incident, event: null, decides: { id: 'prp_2', state: 'accepted' } } as const
      await store.incidents.save([accept], NOW + 50)
      assert.deepEqual(await open(null, 10), ['prp_3', 'prp_1'])
      const { state, decidedAt } = (await sources.findProposal('prp_2'))!
      assert.deepEqual([state, decidedAt], ['accepted', NOW + 50])
      const again = { ...accept, incident: { ...incident, version: 3 } }
      await assert.rejects(store.incidents.save([again], NOW + 60), StaleVersion)
      assert.equal((await store.incidents.find(incident.id))!.version, 2)
      const undo = { ...again, decides: { id: 'prp_2', state: 'open' } } as const
      await store.incidents.save([undo], NOW + 70)
      assert.deepEqual(await open(null, 10), ['prp_3', 'prp_2', 'prp_1'])
      assert.equal((await sources.findProposal('prp_2'))!.decidedAt, null)
      const twice = { ...undo, incident: { ...incident, version: 4 } }
      await assert.rejects(store.incidents.save([twice], NOW + 80), StaleVersion)
    })
  })
}

/** A story, a copy of it, a copy of the copy, and another story. */
async function withCopies({ sources }: Store, changes: Partial<ItemWrite> = {}): Promise<void> {
  await sources.saveItem(OWNER, anItemWrite(1, changes), NOW)
  for (const number of [2, 3]) {
    const item = anItem(number, { state: 'duplicate', duplicateOf: `itm_${number - 1}` })
    await sources.saveItem(OWNER, anItemWrite(number, { item }), NOW)
  }
  await sources.saveItem(OWNER, anItemWrite(4), NOW)
}

/** By id, whether title and address are gone. */
async function titlesOf({ sources }: Store, source = 'src_1'): Promise<[string, boolean][]> {
  const items = await sources.listItems(source, null, null, 9)
  return items.map(({ id, title, url }) => [id, title === '' && url === null])
}

async function polling(database: EmptyDatabase): Promise<Store> {
  const store = await database.open()
  await store.sources.add(aSource(1), MAX_SOURCES)
  await store.sources.lease(OWNER, NOW, NOW + DAY)
  return store
}

export function publishersConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('publishers', () => {
    it('keeps the last entry of each publisher until it is removed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const zamfara = { key: 'zamfara herald', name: 'Zamfara Herald', kind: 'local', updatedAt: NOW } as const
      const arewa = { key: 'arewa', name: 'Arewa Radio', kind: 'national', updatedAt: NOW } as const
      await store.publishers.set(zamfara)
      await store.publishers.set({ ...arewa, kind: 'social' })
      await store.publishers.set(arewa)
      assert.deepEqual(await store.publishers.list(), [arewa, zamfara])
      assert.equal(await store.publishers.remove('arewa'), true)
      assert.equal(await store.publishers.remove('arewa'), false)
      assert.deepEqual(await store.publishers.list(), [zamfara])
    })
  })
}

const aTip = (number: number, contact: string | null = `person ${number}`) => ({
  referenceHash: `reference ${number}`,
  incidentId: reported(number).incident.id,
  receivedAt: NOW + number,
  contact,
})
const aSubmission = (challenge: string, fingerprint = 'content') => ({ challengeHash: challenge, fingerprint })
const asReport = (number: number): IncidentChange => ({
  ...reported(number),
  moderation: { ...EMPTY_MODERATION_RECORD, origin: 'tip' },
})

function anAddition(number: number, challenge: string, changes: Partial<TipAddition> = {}): TipAddition {
  const { incident } = reported(number)
  const historyEntry = {
    id: `stp_${challenge}`,
    step: 'note',
    version: 1,
    at: NOW,
    by: TIP_ACTOR,
    note: 'More.',
    fields: [],
    changes: [],
    other: null,
  } as const
  return {
    referenceHash: `reference ${number}`,
    change: { incident, event: null, replaces: { version: 1, status: 'reported' }, historyEntry },
    contact: null,
    submission: aSubmission(challenge),
    maxAdditions: 2,
    ...changes,
  }
}

const contactsOf = async (store: Store, ...numbers: number[]) =>
  (await store.tips.ofIncidents(numbers.map((number) => aTip(number).incidentId))).map(({ contact }) => contact)

export function tipsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('tips', () => {
    it('have one secret, whoever proposes one first', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const secrets = await Promise.all(['a', 'b', 'c'].map((proposed) => store.tips.secret(proposed)))
      assert.equal(new Set(secrets).size, 1)
      assert.equal(await store.tips.secret('d'), secrets[0])
    })

    it('are stored with their report, once for each challenge, however many are sent at once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const added = await Promise.all(
        [1, 2, 3, 4].map((number) =>
          store.tips.add(aTip(number), asReport(number), aSubmission('one', `content ${number}`)),
        ),
      )
      assert.deepEqual(added.toSorted(), [false, false, false, true])
      const first = added.indexOf(true) + 1
      const ids = [1, 2, 3, 4].map((number) => aTip(number).incidentId)
      const records = await store.incidents.findRecords(ids)
      assert.deepEqual(
        records.map(({ incident, moderation }) => [incident.id, moderation?.origin]),
        [[aTip(first).incidentId, 'tip']],
      )
      assert.deepEqual(await store.tips.ofIncidents(ids), [{ ...aTip(first), additions: 0 }])
      assert.deepEqual(await store.tips.findSubmission('one'), aSubmission('one', `content ${first}`))
      assert.equal(await store.tips.findSubmission('two'), null)
      assert.equal(await store.events.head().then(({ seq }) => seq), 0, 'something is public')
    })

    it('write nothing if the report cannot be saved', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([reported(1)], NOW)
      await assert.rejects(store.tips.add(aTip(1), asReport(1), aSubmission('one')), StaleVersion)
      assert.equal(await store.tips.findSubmission('one'), null)
      assert.deepEqual(await contactsOf(store, 1), [])
    })

    it('are found by their reference, and take additions up to a maximum, each once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.tips.add(aTip(1), asReport(1), aSubmission('one'))
      assert.deepEqual(await store.tips.findByReference('reference 1'), { ...aTip(1), additions: 0 })
      assert.equal(await store.tips.findByReference('reference 2'), null)
      assert.equal(await store.tips.addTo(anAddition(1, 'one'), NOW), 'used')
      assert.equal(await store.tips.addTo(anAddition(1, 'two'), NOW), true)
      assert.equal(await store.tips.addTo(anAddition(1, 'two'), NOW), 'used')
      assert.deepEqual(await contactsOf(store, 1), ['person 1'])
      const last = anAddition(1, 'three', { contact: 'another' })
      assert.equal(await store.tips.addTo(last, NOW), true)
      assert.deepEqual(await contactsOf(store, 1), ['another'])
      assert.equal(await store.tips.addTo(anAddition(1, 'four'), NOW), 'too_many')
      assert.equal(await store.tips.addTo(anAddition(2, 'four'), NOW), 'unknown')
      assert.equal(await store.tips.findSubmission('four'), null)
      const history = await store.incidents.history(aTip(1).incidentId)
      assert.deepEqual(
        history.map(({ step, note, by }) => [step, note, by]),
        [
          ['note', 'More.', TIP_ACTOR],
          ['note', 'More.', TIP_ACTOR],
        ],
      )
      assert.equal((await store.tips.findByReference('reference 1'))!.additions, 2)
    })

    it('refuse an addition to another version, and write nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.tips.add(aTip(1), asReport(1), aSubmission('one'))
      const stale = anAddition(1, 'two', { contact: 'another' })
      const change = { ...stale.change, replaces: { version: 7 } }
      await assert.rejects(store.tips.addTo({ ...stale, change }, NOW), StaleVersion)
      assert.deepEqual(await contactsOf(store, 1), ['person 1'])
      assert.equal((await store.tips.findByReference('reference 1'))!.additions, 0)
      assert.equal(await store.tips.findSubmission('two'), null)
    })

    it('tell the followers of the desk', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const told = Promise.withResolvers<void>()
      const stop = store.desk.onChange(() => told.resolve())
      await store.tips.add(aTip(1), asReport(1), aSubmission('one'))
      await told.promise
      stop()
      assert.equal(await store.desk.head(), 1)
      await store.tips.addTo(anAddition(1, 'two'), NOW)
      assert.equal(await store.desk.head(), 2)
    })

    it('are deleted with the challenges that were used, some at a time; the reports stay', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const number of [1, 2, 3]) await store.tips.add(aTip(number), asReport(number), aSubmission(`${number}`))
      assert.equal(await store.tips.deleteExpired(NOW + 3, NOW + 2, 1), 2)
      assert.equal(await store.tips.deleteExpired(NOW + 3, NOW + 2, 10), 1)
      assert.equal(await store.tips.deleteExpired(NOW + 3, NOW + 2, 10), 0)
      assert.deepEqual(await contactsOf(store, 1, 2, 3), ['person 3'])
      assert.equal(await store.tips.findSubmission('1'), null)
      assert.notEqual(await store.tips.findSubmission('2'), null)
      assert.equal((await store.incidents.findRecords([1, 2, 3].map((each) => aTip(each).incidentId))).length, 3)
    })
  })
}
