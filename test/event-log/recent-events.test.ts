import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesAfter, RecentEvents, type UnknownPosition } from '../../src/event-log/follower.ts'
import type { EventLog, LogEvent } from '../../src/store/store.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const event = (seq: number) => anEvent(seq, anIncident(seq))
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => event(from + index))
const seqs = (recent: RecentEvents, after: number, limit = 100) => recent.after(after, limit)?.map(({ seq }) => seq)

test('returns the events in order, from any position', () => {
  const recent = new RecentEvents(7)
  assert.deepEqual(seqs(recent, 7), [])
  recent.addEvents(events(8, 10))
  assert.deepEqual(seqs(recent, 7), [8, 9, 10])
  assert.deepEqual(seqs(recent, 7, 2), [8, 9])
  assert.deepEqual(seqs(recent, 9), [10])
  assert.deepEqual(seqs(recent, 10), [])
  assert.equal(recent.after(6, 1), null)
})

test('skips events added before', () => {
  const recent = new RecentEvents(0)
  recent.addEvents(events(1, 3))
  recent.addEvents(events(2, 4))
  assert.deepEqual(seqs(recent, 0), [1, 2, 3, 4])
})

test('starts again with a redaction: the earlier events may have what it took out', () => {
  const recent = new RecentEvents(0)
  recent.addEvents([...events(1, 3), { ...event(4), redacted: true }, event(5)])
  assert.equal(recent.since, 3)
  assert.equal(recent.after(2, 10), null)
  assert.deepEqual(seqs(recent, 3), [4, 5])
})

test('starts again after a gap', () => {
  const recent = new RecentEvents(0)
  recent.addEvents(events(1, 3))
  recent.addEvents(events(6, 7))
  assert.deepEqual([recent.since, seqs(recent, 5), seqs(recent, 3)], [5, [6, 7], undefined])
})

test('is bounded by number and size, and never serves a gap', () => {
  const size = event(1).document.length
  for (const most of [{ events: 5 }, { characters: size * 5 + 10 }]) {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), (batches) => {
        const recent = new RecentEvents(0, most)
        let head = 0
        for (const batch of batches) {
          recent.addEvents(events(head + 1, head + batch))
          head += batch
          assert.equal(recent.since, Math.max(0, head - 5))
          for (let after = recent.since; after <= head; after++) {
            assert.deepEqual(
              seqs(recent, after),
              events(after + 1, head).map(({ seq }) => seq),
            )
          }
        }
      }),
    )
  }
})

const EVENTS = [1, 2, 3, 4, 5].map((seq) => anEvent(seq, anIncident(seq)))
const log: Pick<EventLog, 'after' | 'head' | 'lastBeforeGap'> = {
  after: async (seq, limit) => EVENTS.slice(seq, seq + limit),
  head: async () => ({ seq: EVENTS.length, at: 0 }),
  lastBeforeGap: async () => null,
}
const seqsOf = (events: readonly LogEvent[] | UnknownPosition) =>
  Array.isArray(events) ? events.map(({ seq }) => seq) : events

test('a node that is behind returns the events it has applied, from memory or the log, and no later ones', async () => {
  const archive = await emptyArchive()
  archive.apply(EVENTS.slice(0, 3))
  const recent = new RecentEvents(2)
  recent.addEvents(EVENTS.slice(2, 3))
  const changes = async (seq: number) => seqsOf(await changesAfter(archive, recent, () => log, seq, 10))
  assert.deepEqual(await changes(0), [1, 2, 3])
  assert.deepEqual(await changes(2), [3])
  assert.deepEqual(await changes(3), [])
  assert.deepEqual(await changes(5), [], 'another node may have sent this position')
  assert.deepEqual(await changes(6), { notReached: 3 }, 'no node can have')
})
