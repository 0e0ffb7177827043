import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesAfter, type UnknownPosition } from '../../src/event-log/changes.ts'
import { RecentEvents } from '../../src/event-log/recent-events.ts'
import type { EventLog, LogEvent } from '../../src/store/store.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
import { anIncident } from '../support/incident.ts'

const EVENTS = [1, 2, 3, 4, 5].map((seq) => anEvent(seq, anIncident(seq)))
const log: Pick<EventLog, 'after' | 'head' | 'lastBeforeGap'> = {
  after: async (seq, limit) => EVENTS.slice(seq, seq + limit),
  head: async () => ({ seq: EVENTS.length, at: 0 }),
  lastBeforeGap: async () => null,
}
const seqs = (events: readonly LogEvent[] | UnknownPosition) =>
  Array.isArray(events) ? events.map(({ seq }) => seq) : events

test('a node that is behind returns the events it has applied, from memory or the log, and no later ones', async () => {
  const archive = await emptyArchive()
  archive.apply(EVENTS.slice(0, 3))
  const recent = new RecentEvents(2)
  recent.addEvents(EVENTS.slice(2, 3))
  const changes = async (seq: number) => seqs(await changesAfter(archive, recent, () => log, seq, 10))
  assert.deepEqual(await changes(0), [1, 2, 3])
  assert.deepEqual(await changes(2), [3])
  assert.deepEqual(await changes(3), [])
  assert.deepEqual(await changes(5), [], 'another node may have sent this position')
  assert.deepEqual(await changes(6), { notReached: 3 }, 'no node can have')
})
