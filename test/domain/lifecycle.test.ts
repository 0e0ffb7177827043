import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUSES } from '../../src/domain/incident.ts'
import { mayTransition, TRANSITIONS, type TransitionName } from '../../src/domain/lifecycle.ts'

test('an incident moves only forward: reported to confirmed, rejected or merged, confirmed to retracted', () => {
  const allowed = (Object.keys(TRANSITIONS) as TransitionName[]).flatMap((move) =>
    STATUSES.filter((status) => mayTransition(move, status)).map((status) => `${status} → ${TRANSITIONS[move].to}`),
  )
  assert.deepEqual(allowed, [
    'reported → confirmed',
    'reported → rejected',
    'reported → merged',
    'confirmed → retracted',
  ])
})

test('the world hears of what it knew or now knows, and of nothing else', () => {
  assert.deepEqual(Object.fromEntries(Object.entries(TRANSITIONS).map(([move, { event }]) => [move, event])), {
    confirm: 'incident.created',
    reject: null,
    merge: null,
    retract: 'incident.retracted',
  })
})
