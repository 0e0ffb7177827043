import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventKind, Incident } from '../../../../src/domain/incident.ts'
import { canonicalQuery, indexedFieldsOf, NOT_LIVE, type StreamFilter } from '../../../../src/filter/filter.ts'
import { parseStreamFilter } from '../../../../src/filter/live-filters.ts'
import { matches } from '../../../../src/filter/matches.ts'
import { places } from '../../../../src/geo/places.ts'
import { startTestApp, type TestApp, until } from '../../../support/app.ts'
import { filter, incidentFrom, incidentParts } from '../../../support/arbitrary.ts'
import { testDatabase } from '../../../support/databases/postgres.ts'
import fc from '../../../support/fast-check.ts'
import { readStream } from '../../../support/readers.ts'
import { tries } from '../../../support/tier.ts'

const INCIDENTS = 12
const SETTINGS = { STREAMS_PER_ACCOUNT: '1000' }
const OFTEN = { streams: { heartbeatIntervalMs: 60 } }

/** Generates valid stream filters inside Nigeria. */
const streamFilters = filter
  .map((streamFilter) => canonicalQuery({ ...streamFilter, ...NOT_LIVE, region: null, route: null }))
  .map((text) => parseStreamFilter(new URLSearchParams(text), [], places))
  .filter((parsed) => 'value' in parsed)
  .map(({ value }) => value)

/** Generates an event for one of a few incidents: it is published, corrected or retracted. */
const story = fc.array(fc.tuple(fc.nat(INCIDENTS - 1), fc.option(incidentParts, { freq: 8 })), {
  minLength: 40,
  maxLength: 120,
})

interface PublishedEvent {
  readonly seq: number
  readonly before: Incident | null
  readonly after: Incident
}

type StoryStep = readonly [number: number, parts: Parameters<typeof incidentFrom>[0] | null]

async function publishStory(app: TestApp, steps: readonly StoryStep[]): Promise<PublishedEvent[]> {
  const now = new Map<number, Incident>()
  const published: PublishedEvent[] = []
  const publish = async (incident: Incident, event: EventKind) => {
    await app.publish([incident], event)
    return app.archive.head.seq
  }
  for (const [number, parts] of steps) {
    const before = now.get(number) ?? null
    if (before?.status === 'retracted' || (before === null && parts === null)) continue
    const version = (before?.version ?? 0) + 1
    const after: Incident = parts
      ? { ...incidentFrom(parts, number), version }
      : { ...before!, version, status: 'retracted' }
    const event = before === null ? 'incident.created' : parts ? 'incident.updated' : 'incident.retracted'
    published.push({ seq: await publish(after, event), before, after })
    now.set(number, after)
  }
  return published
}

/** Reads a stream until its heartbeat shows that it has caught up, and returns its events. */
async function followStream(
  app: TestApp,
  key: string,
  streamFilter: StreamFilter,
  after: string,
): Promise<() => Promise<number[]>> {
  const reader = await readStream(`${app.url}/v1/stream?${canonicalQuery(streamFilter)}${after}`, key)
  assert.equal(reader.response.status, 200)
  return async () => {
    const caughtUp = `id: ${app.archive.head.seq}\nevent: heartbeat\n`
    await until(() => reader.blocks.some((block) => block.startsWith(caughtUp)), 'the end of the story')
    await reader[Symbol.asyncDispose]()
    return reader.changes.map(({ seq }) => seq)
  }
}

test('live, from memory or from the log: a stream sends exactly the events that match its filter', async () => {
  const tally = { sent: 0, skipped: 0 }
  const isMatch = (streamFilter: StreamFilter, incident: Incident | null) =>
    incident !== null && matches(streamFilter, indexedFieldsOf(incident), 0)
  await fc.assert(
    fc.asyncProperty(fc.array(streamFilters, { minLength: 10, maxLength: 15 }), story, async (filters, steps) => {
      await using database = await testDatabase()
      const settings = { ...SETTINGS, DATABASE_URL: database.url }
      await using app = await startTestApp(settings, OFTEN)
      const { text: key } = await app.issue()
      const live = await Promise.all(filters.map((streamFilter) => followStream(app, key, streamFilter, '')))
      const events = await publishStory(app, steps)
      // This service started after the events, so it reads them from the log.
      await using later = await startTestApp(settings, OFTEN)
      const missed = '&last_event_id=0'
      const fromMemory = await Promise.all(filters.map((streamFilter) => followStream(app, key, streamFilter, missed)))
      const fromLog = await Promise.all(filters.map((streamFilter) => followStream(later, key, streamFilter, missed)))
      for (const [index, streamFilter] of filters.entries()) {
        const expected = events.filter(
          ({ before, after }) => isMatch(streamFilter, before) || isMatch(streamFilter, after),
        )
        const seqs = expected.map(({ seq }) => seq)
        tally.sent += seqs.length
        tally.skipped += events.length - seqs.length
        for (const way of [live, fromMemory, fromLog]) assert.deepEqual(await way[index]!(), seqs)
      }
    }),
    // Every run starts two services: shrinking would take longer than reading the first failure.
    { numRuns: tries(4), endOnFailure: true },
  )
  assert.ok(tally.sent > 100 && tally.skipped > 100, JSON.stringify(tally))
})
