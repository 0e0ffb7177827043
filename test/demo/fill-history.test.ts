import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillWithHistory } from '../../src/demo/live-feed.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { type IncidentChange, StoreUnavailable } from '../../src/store/store.ts'
import { smallPlaces as places, TEN_YEARS } from './small-places.ts'

const history = { places, seed: 1, count: 25, ...TEN_YEARS }
const now = () => TEN_YEARS.until

test('history is imported in batches, in published order, and reaches no watch', async () => {
  const calls: { changes: readonly IncidentChange[]; now: number }[] = []
  const progress: number[] = []
  const save = async (changes: readonly IncidentChange[], time: number) => {
    calls.push({ changes, now: time })
    return []
  }
  const onProgress = (saved: number) => progress.push(saved)
  assert.equal(await fillWithHistory({ ...history, store: { incidents: { save } }, now, batch: 10, onProgress }), 25)
  assert.deepEqual(progress, [10, 20, 25])
  assert.ok(calls.every((call) => call.now === now()))
  const changes = calls.flatMap((call) => call.changes)
  assert.ok(changes.every(({ event }) => event === 'incident.imported'))
  assert.deepEqual(
    changes.map(({ incident }) => incident),
    [...syntheticIncidents(history)],
  )
})

test('no incidents need no transaction', async () => {
  const save = () => assert.fail('nothing to save')
  assert.equal(await fillWithHistory({ ...history, count: 0, store: { incidents: { save } }, now }), 0)
})

test('a failing store stops the import', async () => {
  const save = async () => {
    throw new StoreUnavailable('away')
  }
  await assert.rejects(fillWithHistory({ ...history, store: { incidents: { save } }, now }), StoreUnavailable)
})
