import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchEnd, type Match, PendingEvents } from '../../../src/deliveries/pending-events.ts'

const anEvent = (seq: number) => ({ seq, kind: 'incident.created' as const, critical: false, severity: 'low' as const })
const watches = (ids: readonly string[], accountId = 'one') =>
  ids.map((id) => ({ id, accountId, schedule: null, receiver: null }))
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

/** `a1` is of receiver 1, `a` of a webhook. */
const received = (...ids: readonly string[]) =>
  ids.map((text) => ({
    id: text,
    accountId: 'one',
    schedule: null,
    receiver: text.length > 1 ? Number(text.slice(1)) : null,
  }))
const joinedOf = (matches: readonly Match[]) =>
  matches.map(({ watch, joined }) => (joined ? `+${watch.id}` : watch.id)).join(' ')

test('watches of one receiver come first together if one of them answers', () => {
  const pending = new PendingEvents((id) => id === 'c1' || id === 'b')
  assert.equal(joinedOf(pending.add(anEvent(1), received('a1', 'b', 'c1', 'd2', 'e1'))), 'a1 +c1 +e1 b')
  assert.equal(joinedOf(pending.take(9, 9)), 'd2')
  assert.deepEqual([pending.size, pending.position], [0, null])
})

test('watches of one receiver are taken together, and the position passes over none', () => {
  const pending = new PendingEvents(() => false)
  pending.add(anEvent(1), received('a1', 'b', 'c1', 'd', 'e1'))
  assert.equal(joinedOf(pending.take(1, 9)), 'a1 +c1 +e1')
  assert.deepEqual([pending.size, pending.position], [2, { seq: 0, afterWatchId: 'a1' }])
  assert.equal(joinedOf(pending.take(1, 9)), 'b')
  assert.deepEqual(pending.position, { seq: 0, afterWatchId: 'c1' })
  assert.equal(joinedOf(pending.take(1, 9)), 'd')
  assert.deepEqual([pending.size, pending.position], [0, null])
})

test('a receiver with a watch that waits for an earlier event waits with all of them', () => {
  const prompt = new Set<string>()
  const pending = new PendingEvents((id) => prompt.has(id))
  pending.add(anEvent(1), received('a1'))
  prompt.add('b1')
  assert.equal(joinedOf(pending.add(anEvent(2), received('a1', 'b1'))), '')
  assert.deepEqual(namesOf(pending.take(9, 9)), ['1a1', '2a1', '2b1'])
})

test('a batch ends where no receiver is parted', () => {
  const pending = new PendingEvents(() => true)
  const first = pending.add(anEvent(1), received('a', 'b1', 'c1', 'd1', 'e'))
  assert.equal(joinedOf(first), 'a b1 +c1 +d1 e')
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((size) => batchEnd(first, 0, size)),
    [1, 4, 4, 4, 5],
  )
})

test('very many watches of one receiver are parted, so that no transaction is long', () => {
  const pending = new PendingEvents(() => false)
  const ids = Array.from({ length: 200 }, (_, index) => `${String.fromCodePoint(0x100 + index)}1`)
  pending.add(anEvent(1), received(...ids))
  assert.deepEqual([pending.take(1, 1).length, pending.take(1, 1).length, pending.take(1, 1).length], [96, 96, 8])
})
