import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Match, PendingEvents } from '../../../src/webhooks/fan-out/pending-events.ts'

const anEvent = (seq: number) => ({ seq, kind: 'incident.created' as const, critical: false, severity: 'low' as const })
const watches = (ids: readonly string[], accountId = 'one') => ids.map((id) => ({ id, accountId, schedule: null }))
const namesOf = (matches: readonly Match[]) => matches.map(({ event, watch }) => `${event.seq}${watch.id}`)

test('watches that are known to answer come first, the others by event and id', () => {
  const pending = new PendingEvents((id) => id === 'b' || id === 'd')
  assert.deepEqual(namesOf(pending.add(anEvent(1), watches(['a', 'b', 'c', 'd']))), ['1b', '1d'])
  assert.deepEqual(namesOf(pending.add(anEvent(2), watches(['b', 'c']))), ['2b'])
  assert.deepEqual([pending.size, pending.position], [3, { seq: 0, afterWatchId: null }])
  assert.deepEqual(namesOf(pending.take(1, 9)), ['1a'])
  assert.deepEqual(pending.position, { seq: 0, afterWatchId: 'a' })
  assert.deepEqual(namesOf(pending.take(1, 9)), ['1c'])
  assert.deepEqual(pending.position, { seq: 1, afterWatchId: null })
  assert.deepEqual(namesOf(pending.take(9, 9)), ['2c'])
  assert.deepEqual([pending.size, pending.position], [0, null])
})

test('a watch that waits for an earlier event is not among the first, even if it answers meanwhile', () => {
  const prompt = new Set<string>()
  const pending = new PendingEvents((id) => prompt.has(id))
  pending.add(anEvent(1), watches(['a']))
  prompt.add('a')
  assert.deepEqual(pending.add(anEvent(2), watches(['a'])), [])
  assert.deepEqual(namesOf(pending.take(9, 9)), ['1a', '2a'])
  assert.deepEqual(namesOf(pending.add(anEvent(3), watches(['a']))), ['3a'])
})

test('at most a hundred watches of an account come first', () => {
  const pending = new PendingEvents(() => true)
  const ids = Array.from({ length: 150 }, (_, index) => `w${String(index).padStart(3, '0')}`)
  const first = pending.add(anEvent(1), [...watches(ids), ...watches(['x'], 'two')])
  assert.deepEqual([first.length, namesOf(first).at(-1)], [101, '1x'])
  assert.deepEqual(namesOf(pending.take(1, 9)), ['1w100'])
})

test('few are taken at a time of watches that are not known to answer', () => {
  const pending = new PendingEvents(() => false)
  pending.add(anEvent(1), watches(['a', 'b', 'c']))
  assert.deepEqual(namesOf(pending.take(9, 2)), ['1a', '1b'])
})
