import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUSES } from '../../src/domain/incident.ts'
import { type Decided, mayTransition, TRANSITIONS } from '../../src/domain/lifecycle.ts'

test('a report is confirmed or rejected, what is confirmed is retracted, and both ends have a way back', () => {
  const allowed = (Object.keys(TRANSITIONS) as Decided[]).flatMap((move) =>
    STATUSES.filter((status) => mayTransition(move, status)).map((status) => `${status} → ${TRANSITIONS[move].to}`),
  )
  assert.deepEqual(allowed, [
    'reported → confirmed',
    'reported → rejected',
    'confirmed → retracted',
    'rejected → reported',
    'retracted → confirmed',
  ])
})

test('the world hears of what it knew or now knows, and of nothing else', () => {
  assert.deepEqual(Object.fromEntries(Object.entries(TRANSITIONS).map(([move, { event }]) => [move, event])), {
    confirm: 'incident.created',
    reject: null,
    retract: 'incident.retracted',
    reopen: null,
    restore: 'incident.updated',
  })
})
