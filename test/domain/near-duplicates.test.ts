import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { differingFields } from '../../src/domain/field-changes.ts'
import { type Incident, PRECISIONS, TIME_PRECISIONS } from '../../src/domain/incident.ts'
import {
  COMPARISONS,
  type Comparable,
  Compared,
  type Comparison,
  compareIncidents,
  duplicateScore,
  LOCATION_UNCERTAINTY_KM,
  MATCH_WEIGHTS,
  MIN_DUPLICATE_SCORE,
  PRIOR_WEIGHT,
  possibleDuplicates,
  significantWords,
} from '../../src/domain/near-duplicates.ts'
import { TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { KM_PER_DEGREE } from '../../src/lib/geometry.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { tries } from '../support/tier.ts'

const KM_NORTH = 1 / KM_PER_DEGREE
const { location, lat } = anIncident()
const first = anIncident(1, { occurred_at: '2026-01-01T00:00:00.000Z', sources: [] })
const at = (changes: Partial<Incident>) => anIncident(1, { occurred_at: first.occurred_at, sources: [], ...changes })
const precise = (precision: Incident['location']['precision'], radius_km: number | null) => {
  return { ...location, precision, radius_km }
}

const REACH: [what: string, one: Partial<Incident>, other: Partial<Incident>, compared: boolean][] = [
  ['30 km apart, with 3 km of doubt each', {}, { lat: lat + 30 * KM_NORTH }, true],
  ['32 km apart, with 3 km of doubt each', {}, { lat: lat + 32 * KM_NORTH }, false],
  ['60 km apart, one known to its LGA', { location: precise('lga', 40) }, { lat: lat + 60 * KM_NORTH }, true],
  ['120 km apart, one known to its state', { location: precise('state', null) }, { lat: lat + 120 * KM_NORTH }, true],
  ['49 h apart, both known to the hour', {}, { occurred_at: '2026-01-03T01:00:00Z' }, true],
  ['50 h apart, both known to the hour', {}, { occurred_at: '2026-01-03T02:00:00Z' }, false],
  ['72 h apart, one known to the day', { time_precision: 'day' }, { occurred_at: '2026-01-04T00:00:00Z' }, true],
  ['73 h apart, one known to the day', { time_precision: 'day' }, { occurred_at: '2026-01-04T01:00:00Z' }, false],
]

for (const [what, one, other, compared] of REACH) {
  test(`${what}: ${compared ? 'they are compared' : 'nobody asks'}`, () => {
    assert.equal(duplicateScore(at(one), at(other)) !== null, compared)
  })
}

test('the classic case: a kidnapping at Gonin Gora, and a day later banditry at Gonin-Gora with another toll', () => {
  const kidnapping = at({ summary: 'Gunmen abducted 11 travellers at Gonin Gora, along the Kaduna-Abuja road.' })
  const banditry = at({
    type: 'banditry',
    lat: lat + 4 * KM_NORTH,
    location: { ...location, place: 'Gonin-Gora' },
    occurred_at: '2026-01-02T00:00:00.000Z',
    summary: 'Gonin-Gora: bandits kill 3, abduct 18 in night raid.',
    casualties: { killed: 3, injured: null, abducted: 18 },
  })
  const [found] = duplicatesAmong(kidnapping, [banditry])
  assert.ok(found!.score >= 0.8, `${found?.score}`)
  assert.deepEqual(found!.reasons[0], { reason: 'place_name', finding: 'same', weight: 4 })
  assert.ok(duplicateScore(at({ ...kidnapping, location: { ...location, place: null } }), banditry)! >= 0.8)
  const elsewhere = { ...banditry, summary: 'Bandits kill 3, abduct 18.', location: { ...location, place: 'Kujama' } }
  assert.ok(duplicateScore(kidnapping, elsewhere)! < MIN_DUPLICATE_SCORE)
})

test('another incident nearby on the same day is not likely', () => {
  const nearby = at({
    lat: lat + 14 * KM_NORTH,
    location: { ...location, place: 'Kujama' },
    occurred_at: '2026-01-01T20:00:00Z',
    summary: 'A farmer was abducted on his way to the market in Kujama.',
    casualties: { killed: 0, injured: null, abducted: 1 },
  })
  assert.ok(duplicateScore(first, nearby)! < MIN_DUPLICATE_SCORE)
})

const CHANGES: [reason: Comparison, finding: string | null, one: Partial<Incident>, other: Partial<Incident>][] = [
  ['place_name', 'same', { location: named('Gidan Kwano') }, { location: named('Gidan-Kwano village') }],
  ['place_name', 'similar', { location: named('Dansadau') }, { location: named('Dan Sadua') }],
  ['place_name', 'in_text', { location: named('Dan Sadau') }, { location: named(null), summary: 'Raid on Dansadau.' }],
  ['place_name', null, { location: named('Jos') }, { location: named(null), summary: 'Joseph was robbed.' }],
  ['place_name', null, { location: named('Kaduna') }, { location: named(null), summary: 'Raid in Kaduna.' }],
  ['place_name', 'different', { location: named('Kujama') }, { location: named('Rigasa'), summary: 'A raid.' }],
  ['place_name', 'different', { location: named('Oyo'), summary: '' }, { location: named('Aba'), summary: '' }],
  ['distance', 'same_spot', {}, { lat: lat + 4 * KM_NORTH }],
  ['distance', 'possible', { location: precise('lga', 25) }, { lat: lat + 20 * KM_NORTH }],
  ['distance', 'apart', {}, { lat: lat + 20 * KM_NORTH }],
  ['lga', 'same', {}, {}],
  ['lga', 'different', {}, { lga: 'Igabi' }],
  ['lga', 'different', {}, { lga: null, state: 'Katsina' }],
  ['lga', null, {}, { lga: null }],
  ['time', 'same_day', {}, { occurred_at: '2026-01-01T23:00:00Z' }],
  ['time', 'next_day', {}, { occurred_at: '2026-01-02T00:00:00Z' }],
  ['time', 'days_apart', { time_precision: 'day' }, { occurred_at: '2026-01-03T00:00:00Z' }],
  ['time', 'possible', { time_precision: 'week' }, { occurred_at: '2026-01-01T00:00:00Z' }],
  ['type', 'same', {}, {}],
  ['type', 'related', { type: 'kidnapping' }, { type: 'banditry' }],
  ['type', 'related', { type: 'kidnapping' }, { type: 'hostage_taking' }],
  ['type', 'other', { type: 'kidnapping' }, { type: 'protest' }],
  ['words', 'most', { summary: 'Pastor Danladi and choir seized' }, { summary: 'Choir of pastor Danladi seized' }],
  [
    'words',
    'several',
    { summary: 'Pastor Danladi seized on a farm' },
    { summary: 'Pastor Danladi taken, choir flees' },
  ],
  ['words', 'some', { summary: 'A pastor was seized' }, { summary: 'Clergy mourn a pastor of theirs' }],
  ['words', 'none', { summary: 'Gunmen attack village' }, { summary: 'Gunmen attack village, kill soldiers' }],
  ['words', null, { summary: '' }, {}],
  ['casualties', 'agree', tolls(11), tolls(11)],
  ['casualties', 'close', tolls(11), tolls(18)],
  ['casualties', 'close', tolls(1), tolls(1)],
  ['casualties', 'close', tolls(0), tolls(3)],
  ['casualties', 'contradict', tolls(2), tolls(40)],
  ['casualties', null, tolls(10), tolls(30)],
  ['casualties', null, tolls(null), tolls(30)],
  ['source', 'same', { sources: [source('https://a.example/1')] }, { sources: [source('https://a.example/1')] }],
  ['source', null, { sources: [source('https://a.example/1')] }, { sources: [source('https://a.example/2')] }],
  ['source', null, { sources: [source(null)] }, { sources: [source(null)] }],
]

function named(place: string | null): Incident['location'] {
  return { ...location, place }
}

function tolls(abducted: number | null): Partial<Incident> {
  return { casualties: { killed: null, injured: null, abducted } }
}

function source(url: string | null): Incident['sources'][number] {
  return { url, publisher: 'Daily', published_at: null }
}

for (const [reason, finding, one, other] of CHANGES) {
  test(`${reason} is ${finding ?? 'not compared'}: ${JSON.stringify(other)}`, () => {
    const found = compareIncidents(at(one), at(other))!.reasons.find((each) => each.reason === reason)
    assert.equal(found?.finding ?? null, finding)
    if (finding !== null) assert.equal(found!.weight, (MATCH_WEIGHTS[reason] as Record<string, number>)[finding])
  })
}

test('every finding of the table can be reached', () => {
  const reached = new Set(CHANGES.map(([reason, finding]) => `${reason} ${finding}`))
  for (const reason of COMPARISONS)
    for (const finding of Object.keys(MATCH_WEIGHTS[reason])) assert.ok(reached.has(`${reason} ${finding}`), finding)
})

test('the figures of several sources are a range', () => {
  const ranged = { ...at(tolls(4)), casualties_reported: [{ abducted: 4 }, { abducted: 30 }] }
  const finding = (other: Comparable) => {
    return compareIncidents(ranged, other)!.reasons.find(({ reason }) => reason === 'casualties')?.finding
  }
  assert.equal(finding(at(tolls(20))), 'agree')
  assert.equal(finding(at(tolls(33))), 'close')
  assert.equal(finding(at(tolls(200))), 'contradict')
})

test('the fields in which two differ are named', () => {
  assert.deepEqual(differingFields(first, first), [])
  assert.deepEqual(
    differingFields(first, at({ type: 'banditry', location: named('Rigasa'), lat: lat + 0.1, ...tolls(18) })),
    ['type', 'place', 'point', 'casualties'],
  )
})

test('what is unknown speaks neither for nor against', () => {
  const unknown = { killed: null, injured: null, abducted: null }
  const reasons = compareIncidents(first, at({ casualties: unknown, summary: '', lga: null, sources: [] }))!.reasons
  assert.deepEqual(reasons.map(({ reason }) => reason).sort(), ['distance', 'place_name', 'time', 'type'])
})

test('words are compared in plain letters, numbers as figures, without common words and endings', () => {
  const cases: [string, string[]][] = [
    ['Eleven people were killed in Jos, Plateau State.', ['11', 'kill', 'jos', 'plateau']],
    ['11 killings at JOS', ['11', 'killing', 'jos']],
    ['Ɗan Ƙasa, Ìbàdàn and Jema’a LGA', ['dan', 'kasa', 'ibadan', 'jemaa']],
    ['Gunmen attacked villages', ['gunmen', 'attack', 'village']],
    ['at Oyo, Aba, Ife', ['oyo', 'aba', 'ife']],
    ['the of and', []],
  ]
  for (const [summary, words] of cases) assert.deepEqual([...significantWords(summary)], words)
})

const count = fc.option(fc.integer({ min: 0, max: 12 }))
const incident = fc
  .record({
    type: fc.constantFrom(...TYPE_NAMES),
    lat: fc.double({ min: 10, max: 10.8, noNaN: true }),
    lng: fc.double({ min: 7, max: 7.8, noNaN: true }),
    state: fc.constantFrom('Kaduna', 'Katsina'),
    lga: fc.constantFrom('Chikun', 'Igabi', null),
    sources: fc.array(fc.record({ url: fc.constantFrom('https://a.example', null) }), { maxLength: 2 }),
    location: fc.record({
      place: fc.constantFrom('Gonin Gora', 'Gonin-Gora', 'Jos', null),
      precision: fc.constantFrom(...PRECISIONS),
      radius_km: fc.option(fc.double({ min: 0, max: 60, noNaN: true })),
    }),
    occurred_at: fc.integer({ min: 0, max: 90 }).map((hours) => new Date(hours * 3_600_000).toISOString()),
    time_precision: fc.constantFrom(...TIME_PRECISIONS),
    summary: fc.array(fc.constantFrom('gunmen', 'Jos', 'killed', 'eleven', 'the', 'Oyo'), { maxLength: 6 }),
    casualties: fc.record({ killed: count, injured: count, abducted: count }),
  })
  .map(({ summary, ...rest }) => ({ ...rest, summary: summary.join(' ') }))

test('the score is the same both ways, and from 0 to 1', () => {
  fc.assert(
    fc.property(incident, incident, (one, other) => {
      const score = duplicateScore(one, other)
      assert.equal(duplicateScore(other, one), score)
      assert.ok(score === null || (score >= 0 && score <= 1))
    }),
  )
})

test('nothing is likelier than the same again, if it has a place and a word that others do not have', () => {
  const telling = incident.filter(({ location, summary }) => location.place !== null && /Jos|Oyo/.test(summary))
  fc.assert(
    fc.property(telling, incident, (one, other) => {
      const score = duplicateScore(one, other)
      assert.ok(score === null || duplicateScore(one, structuredClone(one))! >= score)
    }),
    // Few pairs come close: a hundred of them would show little.
    { numRuns: tries(2000) },
  )
})

test('the five likeliest come back, likeliest first, and none below the least', () => {
  const worse: Partial<Incident>[] = [
    { time_precision: 'week' },
    { type: 'banditry', location: named(null) },
    {},
    { occurred_at: '2026-01-02T00:00:00Z', location: named(null) },
    { lga: 'Igabi' },
    { location: named(null) },
    { type: 'banditry', lga: 'Igabi', location: named(null), summary: 'A raid.' },
  ]
  const others = worse.map((changes, index) => at({ id: `${index}`, ...changes }))
  const found = duplicatesAmong(first, [...others, at({ id: 'far', lat: lat + 2 })])
  assert.equal(found.length, 5)
  assert.equal(found[0]!.incident.id, '2')
  const scores = found.map(({ score }) => score)
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
  )
  assert.deepEqual(
    duplicatesAmong(first, others, scores[0]).map(({ score }) => score),
    scores.filter((score) => score === scores[0]),
  )
  assert.deepEqual(duplicatesAmong(first, []), [])
})

test('docs/reports.md has the same weights and radii', async () => {
  const page = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith('Near-duplicates'))!
  const documented = Object.fromEntries(
    [...section.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, reason, findings]) => [
      reason,
      Object.fromEntries(
        [...findings!.matchAll(/`(\w+)` ([+−]?[\d.]+)/g)].map(([, finding, weight]) => [
          finding,
          Number(weight!.replace('−', '-')),
        ]),
      ),
    ]),
  )
  assert.deepEqual(documented, MATCH_WEIGHTS)
  const radii = Object.entries(LOCATION_UNCERTAINTY_KM).map(([precision, radius]) => `${precision} ${radius} km`)
  assert.ok(section.includes(radii.join(', ')))
  assert.ok(section.includes(`${MIN_DUPLICATE_SCORE}`))
  assert.ok(section.includes(`−${-PRIOR_WEIGHT}`))
})

function duplicatesAmong<Other extends Comparable>(candidate: Comparable, others: readonly Other[], least?: number) {
  const compared = others.map((other) => new Compared(other))
  return runToEnd(possibleDuplicates(new Compared(candidate), compared, least))
}
