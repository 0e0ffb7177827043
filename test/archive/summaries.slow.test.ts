import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { renderStatistics } from '../../src/api/statistics.ts'
import { TileRenderer } from '../../src/api/tiles.ts'
import { Archive } from '../../src/archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../src/archive/columns/columns.ts'
import { SEGMENT_CAPACITY } from '../../src/archive/segments/segment-indexes.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { EVERYTHING, type Filter } from '../../src/filter/filter.ts'
import { type Group, isTimeGroup } from '../../src/filter/grouping.ts'
import { places } from '../../src/geo/places.ts'
import { TIME_ZONES } from '../../src/lib/calendar.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { DAY, EPOCH, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { anEvent, aSnapshot } from '../support/archive.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { tries } from '../support/tier.ts'

/** Four segments, the last of them half full, over fifteen months. */
const COUNT = 3.5 * SEGMENT_CAPACITY
const STEP = (450 * DAY) / COUNT
const NOW = EPOCH + 450 * DAY
const maker = new TileRenderer(places)
let archive: Archive

function publishedAt(moment: number): Pick<Incident, 'published_at'> {
  return { published_at: new Date(Math.floor(EPOCH + moment * STEP)).toISOString() }
}

before(async () => {
  const kinds = fc.sample(incidentParts, { numRuns: 997, seed: 1 }).map(incidentFrom)
  const incidents = Array.from({ length: COUNT }, (_, number) => ({
    ...kinds[number % kinds.length]!,
    ...publishedAt(number),
    id: anIncident(number).id,
  }))
  archive = await Archive.load(aSnapshot(incidents, 1000))
})

/**
 * A change to one incident: a retraction, or a publication (or correction) with other fields at
 * another time.
 */
const change = fc.record({
  number: fc.noBias(fc.nat(COUNT + 1000)),
  parts: fc.option(incidentParts, { freq: 3 }),
  moment: fc.noBias(fc.nat(COUNT)),
})
const wholeOrCut = fc.oneof(fc.constant(null), fc.noBias(fc.nat(450)))
const window = fc.tuple(wholeOrCut, wholeOrCut).map(([from, days]) => ({
  publishedFrom: from === null ? null : EPOCH + from * DAY,
  publishedTo: days === null ? null : EPOCH + ((from ?? 0) + days) * DAY + 1,
}))
/** Half of the bounds are met by every segment or by none. */
const bound = fc.option(fc.constantFrom(-1, 0, 0.3, 0.57, 1, 2))
const occurrence = bound.map((share) => (share === null ? null : EPOCH + share * 12 * DAY))
const confidence = bound.map((share) => (share === null ? null : Math.min(1, Math.max(0, share))))
const bounds = fc.record(
  { minConfidence: confidence, maxConfidence: confidence, occurredFrom: occurrence, occurredTo: occurrence },
  { noNullPrototype: true },
)
const some = <Value>(values: readonly Value[]) => fc.option(fc.subarray([...values], { minLength: 1 }))
const filter: fc.Arbitrary<Filter> = fc
  .tuple(window, some(SEVERITIES), some(['NG-KD', 'NG-BO']), some(TYPE_NAMES), fc.nat(3), bounds)
  .map(([times, severities, states, types, which, conditions]) => ({
    ...EVERYTHING,
    ...times,
    ...(which === 3 ? conditions : {}),
    severities,
    states: which === 1 ? states : null,
    types: which === 2 ? types : null,
  }))
const groups = fc
  .uniqueArray(fc.constantFrom<Group>('state', 'severity', 'type', 'category', 'month', 'year', 'week'), {
    minLength: 1,
    maxLength: 2,
  })
  .filter((all) => all.filter(isTimeGroup).length < 2)
const zone = fc.constantFrom(...TIME_ZONES)
const tile = fc
  .tuple(fc.nat(8), fc.double({ min: 4, max: 14, noNaN: true }), fc.double({ min: 2.5, max: 15, noNaN: true }))
  .map(([z, lat, lng]) => ({ z, x: mercatorX(lng) >> (MERCATOR_BITS - z), y: mercatorY(lat) >> (MERCATOR_BITS - z) }))

/** The same filter in a form that only the incidents themselves can answer. */
const unsummed = (wanted: Filter): Filter => ({ ...wanted, box: { west: -180, south: -90, east: 180, north: 90 } })

function happen({
  number,
  parts,
  moment,
}: {
  number: number
  parts: Parameters<typeof incidentFrom>[0] | null
  moment: number
}) {
  const incident = parts
    ? { ...incidentFrom(parts, number), ...publishedAt(moment) }
    : anIncident(number, { status: 'retracted' })
  archive.apply([anEvent(archive.head.seq + 1, incident, parts ? 'incident.updated' : 'incident.retracted')])
}

// One archive serves all runs, because building it takes longest; both ways must agree after any
// changes.
test('the sums kept by segments equal those of their incidents after any changes', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 4 }),
      filter,
      groups,
      zone,
      tile,
      (changes, wanted, by, timeZone, where) => {
        for (const one of changes) happen(one)
        const answer = (asked: Filter) =>
          runToEnd(renderStatistics(archive.view, { groups: by, timeZone, filter: asked }, places, NOW))
        assert.deepEqual(answer(wanted).body.toString(), answer(unsummed(wanted)).body.toString())
        const drawn = (asked: Filter) => runToEnd(maker.renderTile(archive.view, where, asked, NOW)).body
        assert.deepEqual(drawn(wanted), drawn(unsummed(wanted)))
      },
    ),
    { numRuns: tries(300) },
  )
})

test('a relative window expires when its oldest incident leaves it, with or without sums', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 450 }), some(SEVERITIES), tile, (days, severities, where) => {
      const wanted: Filter = { ...EVERYTHING, severities, since: { count: days, unit: 'd' } }
      const until = (asked: Filter) => [
        runToEnd(renderStatistics(archive.view, { groups: ['state'], timeZone: 'UTC', filter: asked }, places, NOW))
          .validUntil,
        runToEnd(maker.renderTile(archive.view, where, asked, NOW)).validUntil,
      ]
      assert.deepEqual(until(wanted), until(unsummed(wanted)))
    }),
    { numRuns: tries(100) },
  )
})
