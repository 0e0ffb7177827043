import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_TAIL, setPaused, type TailEvent, withEvent } from '../../../web/console/live/tail.ts'

function event(seq: number): TailEvent {
  return { seq, event: 'incident.created', incident: null, text: '{}', at: seq }
}

const seqs = (events: readonly TailEvent[]) => events.map(({ seq }) => seq)

test('the newest event comes first, and 200 are kept', () => {
  let state = EMPTY_TAIL
  for (let seq = 1; seq <= 250; seq++) state = withEvent(state, event(seq))
  assert.equal(state.events.length, 200)
  assert.equal(state.events[0]!.seq, 250)
})

test('what comes during a pause waits, and is shown in order afterwards', () => {
  let state = setPaused(withEvent(EMPTY_TAIL, event(1)), true)
  state = withEvent(withEvent(state, event(2)), event(3))
  assert.deepEqual(seqs(state.events), [1])
  assert.deepEqual(seqs(state.waiting), [3, 2])
  state = setPaused(state, false)
  assert.deepEqual(seqs(state.events), [3, 2, 1])
  assert.deepEqual(state.waiting, [])
})
