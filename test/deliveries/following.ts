import assert from 'node:assert/strict'
import { it } from 'node:test'
import { requireFilter } from '../../src/api/watches/request.ts'
import { explain } from '../../src/deliveries/explain.ts'
import { FanOut } from '../../src/deliveries/fan-out.ts'
import { recoverWatch } from '../../src/deliveries/recover.ts'
import { WatchIndex } from '../../src/deliveries/watch-index.ts'
import { changeIncident, type Decision } from '../../src/desk/decision.ts'
import { merge, unmerge } from '../../src/desk/merge.ts'
import { transition } from '../../src/desk/transitions.ts'
import { WATCH_EVENTS, type Watch } from '../../src/domain/watch.ts'
import { places } from '../../src/geo/places.ts'
import { machine } from '../../src/lib/runtime.ts'
import type { IncidentChange, Store } from '../../src/store/store.ts'
import { aWatch, created, LEASE, listedDeliveries, MAX_WATCHES, NOW, reported, updated } from '../store/fixtures.ts'
import { until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { withWatchesAt } from './fixtures.ts'

const id = (number: number) => anIncident(number).id
const DECISION: Decision = {
  by: { key_id: 'key_1', account_id: 'acc_1', name: 'Desk' },
  note: null,
  expected: null,
  now: NOW,
}

/** Whoever follows an incident is told of all that becomes of it, and nobody else is. */
export function followingTests(open: (scope: AsyncDisposableStack) => Promise<Store>): void {
  async function setUp(scope: AsyncDisposableStack, follow: readonly (readonly number[])[]) {
    const store = scope.use(await open(scope))
    await withWatchesAt(store, 0, 'https://example.org/hook')
    const watches: Watch[] = []
    for (const [index, numbers] of follow.entries()) {
      const canonical = JSON.stringify({ incident: numbers.map(id).sort() })
      const watch = aWatch(index + 1, { events: WATCH_EVENTS, filter: { given: canonical, canonical } })
      const added = await store.watches.add(watch, MAX_WATCHES)
      assert.ok(typeof added === 'object')
      watches.push(added)
    }
    const onError = (error: unknown) => assert.fail(error as Error)
    scope.use(
      new FanOut(store, new WatchIndex(store, places, onError), {
        owner: 'node',
        clock: () => NOW,
        runtime: machine,
        pollIntervalMs: 5,
        holdsLeases: () => true,
        yieldsLeases: () => false,
        onError,
        dispatcher: {
          isPrompt: () => true,
          waiting: 0,
          plan: (deliveries) => deliveries.map((delivery) => ({ delivery, admission: 'queue' })),
          postponedUntil: () => NOW + LEASE,
          sendLeased: () => {},
        },
      }),
    )
    const save = (changes: readonly IncidentChange[]) => store.incidents.save(changes, NOW)
    const mergeInto = (from: number, into: number) =>
      changeIncident(id(from), merge({ into: id(into), take: {}, intoVersion: null }), DECISION, store, save)
    /**
     * For each watch, of which events it was told: the number of the incident and the event's last
     * word.
     */
    const told = async () => {
      const log = await store.events.after(0, 1000)
      await until(async () => (await store.listening.heads()).written === log.at(-1)!.seq)
      const names = new Map(log.map(({ seq, incidentId, kind }) => [seq, `${numberOf(incidentId)} ${kind.slice(9)}`]))
      const texts: string[][] = []
      for (const watch of watches) {
        const deliveries = await listedDeliveries(store, 'acc_1', watch.id, null, 1000, null)
        texts.push(deliveries.map(({ eventSeq }) => names.get(eventSeq)!).reverse())
      }
      return texts
    }
    return { store, watches, save, mergeInto, told }
  }

  /**
   * Deliveries are written by one rule, explained by another and recovered by a third: they agree.
   */
  async function assertAgreement(store: Store, watches: readonly Watch[], numbers: readonly number[]) {
    for (const watch of watches) {
      const filter = requireFilter(JSON.parse(watch.filter.canonical), places)
      for (const number of numbers) {
        const explained = await explain(watch, filter, id(number), store)
        for (const { matches, delivery, event } of explained!.events)
          assert.equal(matches, delivery !== null, `${watch.name}: ${number} ${event.kind} ${event.seq}`)
      }
      const { missed } = await recoverWatch(watch, filter, NOW - 1000, store, NOW)
      assert.equal(missed, 0)
    }
  }

  it('tells a follower of every correction and the retraction, and nobody else', async () => {
    await using scope = new AsyncDisposableStack()
    const { store, watches, save, told } = await setUp(scope, [[1], [2, 3], [4]])
    await save([created(1), created(2), created(3), updated(1, 2), updated(1, 3, { severity: 'low' }), updated(3, 2)])
    await changeIncident(id(1), transition('retract'), DECISION, store, save)
    await changeIncident(id(1), transition('restore'), DECISION, store, save)
    assert.deepEqual(await told(), [
      ['1 created', '1 updated', '1 updated', '1 retracted', '1 updated'],
      ['2 created', '3 created', '3 updated'],
      [],
    ])
    await assertAgreement(store, watches, [1, 2, 3])
  })

  it('goes on with the incident that another was merged into, over several merges', async () => {
    await using scope = new AsyncDisposableStack()
    const { store, watches, save, mergeInto, told } = await setUp(scope, [[1], [1, 2], [3], [4]])
    await save([created(1), created(2), created(3), reported(4)])
    await save([updated(2, 2)])
    await mergeInto(1, 2)
    await save([await corrected(store, 2)])
    await mergeInto(4, 3)
    await mergeInto(2, 3)
    await save([await corrected(store, 3)])
    await changeIncident(id(3), transition('retract'), DECISION, store, save)
    const merged = ['1 created', '1 retracted', '2 updated', '2 updated', '2 retracted', '3 updated', '3 updated']
    assert.deepEqual(await told(), [
      [...merged, '3 retracted'],
      ['1 created', '2 created', '2 updated', ...merged.slice(1), '3 retracted'],
      ['3 created', '3 updated', '3 updated', '3 updated', '3 retracted'],
      // A report that was never public has no followers, whatever it was merged into.
      [],
    ])
    await assertAgreement(store, watches, [1, 2, 3])
  })

  it('tells of corrections whoever was told by a filter that was changed since, and nobody else', async () => {
    await using scope = new AsyncDisposableStack()
    const { store, watches, save, told } = await setUp(scope, [[1], [2], [3]])
    const follow = async (watch: Watch, number: number) => {
      const canonical = JSON.stringify({ incident: [id(number)] })
      await store.watches.change('acc_1', watch.id, { filter: { given: canonical, canonical } }, NOW)
    }
    await save([created(1), created(2)])
    await told()
    await follow(watches[0]!, 4)
    await follow(watches[2]!, 4)
    await save([updated(1, 2)])
    await told()
    await store.watches.change('acc_1', watches[0]!.id, { status: 'paused' }, NOW)
    await save([updated(1, 3)])
    await told()
    await store.watches.change('acc_1', watches[0]!.id, { status: 'active' }, NOW)
    await changeIncident(id(1), transition('retract'), DECISION, store, save)
    await changeIncident(id(2), transition('retract'), DECISION, store, save)
    assert.deepEqual(await told(), [['1 created', '1 updated', '1 retracted'], ['2 created', '2 retracted'], []])
  })

  it('tells of both when a merge is undone: what was told of the one that remained is corrected', async () => {
    await using scope = new AsyncDisposableStack()
    const { store, watches, save, mergeInto, told } = await setUp(scope, [[1], [2]])
    await save([created(1), created(2)])
    await mergeInto(1, 2)
    await changeIncident(id(1), unmerge, DECISION, store, save)
    assert.deepEqual(await told(), [
      ['1 created', '1 retracted', '2 updated', '1 updated', '2 updated'],
      ['2 created', '2 updated', '2 updated'],
    ])
    await assertAgreement(store, watches, [1, 2])
  })
}

const numberOf = (incidentId: string) => [1, 2, 3, 4].find((number) => id(number) === incidentId)!

/** The incident as it is, with another summary. */
async function corrected(store: Store, number: number): Promise<IncidentChange> {
  const incident = (await store.incidents.find(id(number)))!
  return {
    incident: { ...incident, version: incident.version + 1, summary: `${incident.summary} Corrected.` },
    event: 'incident.updated',
  }
}
