import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_MODERATION_RECORD } from '../../../src/domain/moderation.ts'
import { TIP_ACTOR } from '../../../src/domain/tips.ts'
import { type IncidentChange, StaleVersion, type Store, type TipAddition } from '../../../src/store/store.ts'
import type { EmptyDatabase } from '../empty-database.ts'
import { NOW, reported } from '../fixtures.ts'

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
