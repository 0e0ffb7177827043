/**
 * Measures extraction on 1,000 rows of UCDP in ../shared/data that have a headline, the same in
 * every run: the headlines and `where_description` are the text. `extraction/truth.ts` says what is
 * right. Places are read with the imported gazetteer of 51,200 names. A row whose headlines tell of
 * nothing ("Situation North East") has no candidate; its place is read from the same text all the
 * same, as the desk does.
 */

import type { IncidentCandidate } from '../../src/domain/story.ts'
import { builtInPlaces } from '../../src/geo/built-in-places.ts'
import { type Gazetteer, gazetteerOf } from '../../src/geo/gazetteer.ts'
import { places } from '../../src/geo/places.ts'
import { distanceKm } from '../../src/lib/geometry.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { extract } from '../../src/reading/extract.ts'
import { readPlace } from '../../src/reading/place.ts'
import { NO_INCIDENT_STORIES } from '../../test/reading/no-incident-stories.ts'
import { importedPlaces } from '../extraction/imported-places.ts'
import { absent, sampleRows, textOf, type UcdpRow } from '../extraction/rows.ts'
import { deathsInHeadline, namesItsPlace, trueState, trueTypes } from '../extraction/truth.ts'
import type { Row } from '../harness/row.ts'
import { median } from '../harness/statistics.ts'

const SEED = 20_261_116
const ROWS = 1000
const ROUNDS = 5
const NEAR_KM = 15
const FAR_KM = 30

interface Answer {
  readonly row: UcdpRow
  readonly candidate: IncidentCandidate | undefined
  readonly place: {
    readonly state: string
    readonly precision: string
    readonly lat: number
    readonly lng: number
  } | null
}

export async function run(): Promise<Row[]> {
  const stories = noIncidents()
  if (absent) return [{ name: 'extraction: quality', value: `skipped: ${absent}`, limit: '–', ok: true }, stories]
  const gazetteer = gazetteerOf([...builtInPlaces(), ...importedPlaces()])
  const rows = sampleRows(ROWS, seededRandom(SEED))
  const answers = rows.map((row) => answerOf(row, gazetteer))
  return [
    ...stateRows(answers),
    ...distanceRows(answers),
    ...killedRows(answers),
    typeRow(answers),
    evidence(answers),
    speed(rows, gazetteer),
    stories,
  ]
}

function answerOf(row: UcdpRow, gazetteer: Gazetteer): Answer {
  const text = textOf(row)
  const [candidate] = extract({ text }, gazetteer)
  if (candidate?.state != null) {
    const state = places.states.find(({ name }) => name === candidate.state)!.code
    return {
      row,
      candidate,
      place: { state, precision: candidate.precision!, lat: candidate.lat!, lng: candidate.lng! },
    }
  }
  const read = candidate ? null : readPlace(text, gazetteer, []).place
  return {
    row,
    candidate,
    place: read && { state: read.state.code, precision: read.precision, lat: read.lat, lng: read.lng },
  }
}

function stateRows(answers: readonly Answer[]): Row[] {
  const known = answers.filter(({ row }) => trueState(row) !== null)
  const right = ({ row, place }: Answer): boolean => place?.state === trueState(row)
  const naming = known.filter(({ row }) => namesItsPlace(row))
  const answered = known.filter(({ place }) => place !== null)
  return [
    share('state, rows that name their place', naming.filter(right).length, naming.length, 94),
    share('state, precision of answers', answered.filter(right).length, answered.length, 97),
  ]
}

function kmOff({ row, place }: Answer): number {
  return place ? distanceKm(place.lat, place.lng, Number(row.latitude), Number(row.longitude)) : Infinity
}

function distanceRows(answers: readonly Answer[]): Row[] {
  const precise = answers.filter(({ row }) => Number(row.where_prec) === 1)
  const near = precise.filter((answer) => kmOff(answer) <= NEAR_KM)
  const claims = answers.filter(({ place }) => place?.precision === 'settlement')
  const far = claims.filter((answer) => kmOff(answer) > FAR_KM)
  return [
    share(`within ${NEAR_KM} km, precise rows`, near.length, precise.length, 70),
    share(`more than ${FAR_KM} km off while claiming a settlement`, far.length, claims.length, 6, 'most'),
  ]
}

/**
 * Several headlines give several tolls, of which UCDP settles on one; a single headline gives one.
 */
function killedRows(answers: readonly Answer[]): Row[] {
  const given = answers.filter(({ row }) => deathsInHeadline(row) !== null)
  const right = ({ row, candidate }: Answer): boolean => candidate?.casualties.killed === deathsInHeadline(row)
  const single = given.filter(({ row }) => !row.source_headline!.includes(';'))
  return [
    share('killed exact, number in a single headline', single.filter(right).length, single.length, 85),
    share('killed exact, number in one of several headlines too', given.filter(right).length, given.length, null),
  ]
}

function typeRow(answers: readonly Answer[]): Row {
  const told = answers.filter(({ candidate }) => candidate !== undefined)
  const right = told.filter(({ row, candidate }) => trueTypes(row).has(candidate!.type))
  return share('type, strict, rows that tell of something', right.length, told.length, 80)
}

function evidence(answers: readonly Answer[]): Row {
  const spans = answers.flatMap(({ row, candidate }) =>
    (candidate?.evidence ?? []).map(({ start, end, text }) => textOf(row).slice(start, end) === text && text !== ''),
  )
  return share('evidence spans that hold the value', spans.filter((holds) => holds).length, spans.length, 100)
}

function speed(rows: readonly UcdpRow[], gazetteer: Gazetteer): Row {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    for (const row of rows) extract({ text: textOf(row) }, gazetteer)
    return (rows.length * 1000) / (performance.now() - start)
  })
  const value = median(rounds)
  return { name: 'extraction: items a second, one core', value: value.toFixed(0), limit: '≥ 500', ok: value >= 500 }
}

function noIncidents(): Row {
  const found = NO_INCIDENT_STORIES.filter((story) => extract(story).length > 0)
  return share('candidates from stories that are no incident', found.length, NO_INCIDENT_STORIES.length, 5, 'most')
}

function share(name: string, count: number, of: number, limit: number | null, kind: 'least' | 'most' = 'least'): Row {
  const percent = (count / of) * 100
  const ok = limit === null || (kind === 'least' ? percent >= limit : percent <= limit)
  const text = limit === null ? '–' : `${kind === 'least' ? '≥' : '≤'} ${limit} %`
  return { name: `extraction: ${name}`, value: `${percent.toFixed(1)} % (${count} of ${of})`, limit: text, ok }
}
