import { type Incident, PRECISIONS } from '../../src/domain/incident.ts'
import { categoryOf, type IncidentType, SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import type { Filter } from '../../src/filter/filter.ts'
import { regionOf, routeOf } from '../../src/filter/shapes.ts'
import type { DurationUnit } from '../../src/lib/time.ts'
import fc from './fast-check.ts'
import { anIncident } from './incident.ts'

const STATES = ['NG-KD', 'NG-LA', 'NG-BO'] as const
const LGAS = ['NG-KD-CHIKUN', 'NG-KD-ZARIA', 'NG-LA-IKEJA', 'NG-BO-GWOZA'] as const
/** Few different times, so that many incidents share one and the id decides their order. */
const MOMENT = { min: 0, max: 12 }
export const DAY = 86_400_000
export const EPOCH = Date.UTC(2026, 0, 1)

const moment = fc.integer(MOMENT).map((days) => EPOCH + days * DAY)
const confidence = fc.integer({ min: 0, max: 20 }).map((twentieth) => twentieth / 20)
const lat = fc.oneof(fc.double({ min: 4, max: 14, noNaN: true }), fc.constantFrom(6.5, 10.5, -89, 89))
const lng = fc.oneof(fc.double({ min: 2.5, max: 15, noNaN: true }), fc.constantFrom(3.4, 7.4, -179, 179))

/** Often unknown, and often around the maximum of a byte. */
const figure = fc.option(fc.oneof(fc.nat(30), fc.integer({ min: 250, max: 260 }), fc.constant(4e9)), { freq: 2 })

export const incidentParts = fc.record({
  type: fc.constantFrom<IncidentType>('kidnapping', 'protest', 'banditry', 'piracy'),
  severity: fc.constantFrom(...SEVERITIES),
  state: fc.constantFrom(...STATES),
  lga: fc.option(fc.constantFrom(...LGAS)),
  confidence,
  lat,
  lng,
  precision: fc.constantFrom(...PRECISIONS),
  publishedAt: moment,
  occurredAt: moment,
  dataset: fc.option(fc.constantFrom('ucdp', 'acled'), { nil: undefined }),
  casualties: fc.record({ killed: figure, injured: figure, abducted: figure }, { noNullPrototype: true }),
})

/** An incident numbered `number`: the number decides its id. */
export function incidentFrom(
  parts: typeof incidentParts extends fc.Arbitrary<infer Parts> ? Parts : never,
  number: number,
): Incident {
  return anIncident(number, {
    type: parts.type,
    category: categoryOf(parts.type),
    severity: parts.severity,
    state: parts.state,
    lga: parts.lga,
    location: { ...anIncident().location, precision: parts.precision, state_code: parts.state, lga_code: parts.lga },
    confidence: parts.confidence,
    lat: parts.lat,
    lng: parts.lng,
    ...(parts.dataset === undefined ? {} : { dataset: parts.dataset }),
    casualties: parts.casualties,
    published_at: new Date(parts.publishedAt).toISOString(),
    occurred_at: new Date(parts.occurredAt).toISOString(),
    summary: `Number ${number}: “${'x'.repeat(number % 7)}”.`,
  })
}

/** Generates objects with a prototype, because tests compare them with parsed ones. */
const PLAIN = { noNullPrototype: true } as const

const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 5 })

function someOf<Value>(values: readonly Value[]): fc.Arbitrary<readonly Value[] | null> {
  return sometimes(fc.subarray([...values], { minLength: 1, maxLength: values.length - 1 }))
}

const window = sometimes(fc.tuple(moment, fc.integer({ min: 1, max: 8 }))).map((pair) =>
  pair === null ? [null, null] : [pair[0], pair[0] + pair[1] * DAY],
)

const box = fc
  .tuple(lng, lat, fc.double({ min: 0, max: 6, noNaN: true }), fc.double({ min: 0, max: 6, noNaN: true }))
  .map(([west, south, width, height]) => ({
    west,
    south,
    east: Math.min(180, west + width),
    north: Math.min(90, south + height),
  }))

const circle = fc.record({ lat, lng, radiusKm: fc.double({ min: 1, max: 500, noNaN: true }) }, PLAIN)

const round = (value: number) => Math.round(value * 1e6) / 1e6

/** Uniform, with six decimals; fc.double would generate mostly values near the lower bound. */
export function between(least: number, most: number): fc.Arbitrary<number> {
  return fc.noBias(fc.integer({ min: least * 1e6, max: most * 1e6 })).map((millionths) => millionths / 1e6)
}

/** Points well within Nigeria, because a shape outside it is refused. */
const inland = fc.tuple(between(5, 10), between(7, 12))
const reach = between(0.2, 3)

/** A star around a centre, which never crosses itself; sometimes with a hole of the same shape. */
const polygon = fc
  .tuple(inland, fc.array(reach, { minLength: 3, maxLength: 9 }), fc.option(between(0.2, 0.8)))
  .map(([[lng, lat], reaches, hole]) => {
    const star = (share: number) => {
      const corners = reaches.map((length, at): [number, number] => {
        const angle = (2 * Math.PI * at) / reaches.length
        return [round(lng + share * length * Math.cos(angle)), round(lat + share * length * Math.sin(angle))]
      })
      return Float64Array.from([...corners, corners[0]!].flat())
    }
    return hole === null ? [star(1)] : [star(1), star(hole)]
  })

export const region = fc.array(polygon, { minLength: 1, maxLength: 3 }).map(regionOf)

export const route = fc
  .tuple(fc.array(inland, { minLength: 2, maxLength: 8 }), between(0.1, 100))
  .map(([points, bufferKm]) => routeOf(Float64Array.from(points.flat()), bufferKm))
  .filter(({ line }) => line.length >= 4)

export const filter: fc.Arbitrary<Filter> = fc
  .record({
    states: someOf(STATES),
    lgas: someOf(LGAS),
    types: someOf(TYPE_NAMES),
    severities: someOf(SEVERITIES),
    minConfidence: sometimes(confidence.filter((value) => value > 0)),
    maxConfidence: sometimes(confidence.filter((value) => value < 1)),
    since: sometimes(
      fc.record({ count: fc.integer({ min: 1, max: 300 }), unit: fc.constantFrom<DurationUnit>('h', 'd') }, PLAIN),
    ),
    published: window,
    occurred: window,
    datasets: someOf(['acled', 'none', 'ucdp']),
    box: sometimes(box),
    circle: sometimes(circle),
    region: sometimes(region),
    route: sometimes(route),
    // Few conditions per filter: a filter with all of them would match almost nothing.
    used: fc.array(
      fc.constantFrom(
        'states',
        'lgas',
        'types',
        'severities',
        'minConfidence',
        'maxConfidence',
        'time',
        'occurred',
        'datasets',
        'box',
        'circle',
        'region',
        'route',
      ),
      {
        maxLength: 3,
      },
    ),
  })
  .map(({ used, published, occurred, ...all }) => {
    const ifUsed = <Value>(name: (typeof used)[number], value: Value): Value | null =>
      used.includes(name) ? value : null
    const since = ifUsed('time', all.since)
    const [publishedFrom, publishedTo] = since === null ? (ifUsed('time', published) ?? [null, null]) : [null, null]
    const [occurredFrom, occurredTo] = ifUsed('occurred', occurred) ?? [null, null]
    return {
      states: ifUsed('states', all.states),
      lgas: ifUsed('lgas', all.lgas),
      types: ifUsed('types', all.types),
      severities: ifUsed('severities', all.severities),
      minConfidence: ifUsed('minConfidence', all.minConfidence),
      maxConfidence: ifUsed('maxConfidence', all.maxConfidence),
      since,
      publishedFrom: publishedFrom ?? null,
      publishedTo: publishedTo ?? null,
      datasets: ifUsed('datasets', all.datasets),
      // The archive's own tests have words: no summary here holds one.
      words: null,
      occurredFrom: occurredFrom ?? null,
      occurredTo: occurredTo ?? null,
      box: ifUsed('box', all.box),
      circle: ifUsed('circle', all.circle),
      region: ifUsed('region', all.region),
      route: ifUsed('route', all.route),
      // Their own tests have sites, which a filter as text only names.
      sites: null,
      // Only live filters name incidents.
      incidents: null,
    }
  })
