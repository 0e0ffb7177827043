import type { Precision, TimePrecision } from '../../../domain/incident.ts'
import { type Report, timeFault } from '../../../domain/report.ts'
import type { IncidentType } from '../../../domain/taxonomy.ts'
import { timeText } from '../../../lib/time.ts'
import { type Assumed, rejected } from './format.ts'
import { type Columns, datasetFormat, needed, optional } from './tables.ts'
import {
  type Actor,
  actorsIn,
  citedSources,
  listedSources,
  readCode,
  readCount,
  readCountCell,
  readDay,
  readDayCell,
  readPoint,
  sourceOf,
} from './values.ts'

/** Columns of releases 17.1 to 25.1, the candidate releases and the exports of HDX. */
export const UCDP_COLUMNS = {
  id: needed('id'),
  violence: needed('type_of_violence'),
  sideA: needed('side_a'),
  sideB: needed('side_b'),
  country: needed('country'),
  lat: needed('latitude'),
  lng: needed('longitude'),
  start: needed('date_start'),
  end: optional('date_end'),
  best: needed('best', 'best_est'),
  low: optional('low', 'low_est'),
  high: optional('high', 'high_est'),
  deathsA: optional('deaths_a'),
  deathsB: optional('deaths_b'),
  deathsCivilians: optional('deaths_civilians'),
  wherePrecision: optional('where_prec'),
  whereCoordinates: optional('where_coordinates'),
  whereDescription: optional('where_description'),
  state: optional('adm_1'),
  lga: optional('adm_2'),
  datePrecision: optional('date_prec'),
  clarity: optional('event_clarity'),
  article: optional('source_article'),
  office: optional('source_office'),
  sourceDate: optional('source_date'),
} as const satisfies Columns<string>

export const VIOLENCE = { 1: 'state-based', 2: 'non-state', 3: 'one-sided' } as const
type Violence = keyof typeof VIOLENCE

export const UCDP_DATASET = {
  dataset: 'ucdp',
  attribution: 'UCDP Georeferenced Event Dataset, Uppsala Conflict Data Program, CC BY 4.0',
} as const

/** The side that lost most: UCDP's only indication of the attacker. */
type Loss = 'state' | 'armed group'

interface UcdpRule {
  readonly violence: Violence
  /** Kind of either side; null matches any. In one-sided violence only side A counts. */
  readonly actor: Actor | null
  readonly lostMost: Loss | null
  readonly type: IncidentType
}

function rule(violence: Violence, actor: Actor | null, type: IncidentType, lostMost: Loss | null = null): UcdpRule {
  return { violence, actor, lostMost, type }
}

/** The first matching rule gives the type. */
export const UCDP_TYPES: readonly UcdpRule[] = [
  rule(1, 'separatists', 'separatist_violence'),
  rule(1, null, 'military_operation', 'armed group'),
  rule(1, null, 'attack_on_security_forces', 'state'),
  rule(1, null, 'insurgent_attack'),
  rule(2, 'insurgents', 'insurgent_attack'),
  rule(2, 'separatists', 'separatist_violence'),
  rule(2, 'bandits', 'banditry'),
  rule(2, 'cults', 'cult_clash'),
  rule(2, 'militants', 'gang_violence'),
  rule(2, 'gangs', 'gang_violence'),
  rule(2, 'parties', 'political_violence'),
  rule(2, 'faiths', 'sectarian_violence'),
  rule(2, 'herders', 'farmer_herder_clash'),
  rule(2, null, 'communal_clash'),
  rule(3, 'state', 'military_operation'),
  rule(3, 'insurgents', 'insurgent_attack'),
  rule(3, 'separatists', 'separatist_violence'),
  rule(3, 'militants', 'insurgent_attack'),
  rule(3, 'bandits', 'banditry'),
  rule(3, 'vigilantes', 'mob_violence'),
  rule(3, 'cults', 'gang_violence'),
  rule(3, 'gangs', 'gang_violence'),
  rule(3, 'parties', 'political_violence'),
  rule(3, 'faiths', 'sectarian_violence'),
  rule(3, 'herders', 'farmer_herder_clash'),
  rule(3, null, 'banditry'),
]

interface PlacePrecision {
  readonly meaning: string
  readonly precision: Precision
  readonly radiusKm: number
  /** True if `where_coordinates` is more precise than the row's LGA and state. */
  readonly named: boolean
}

export const WHERE_PRECISION: Readonly<Record<number, PlacePrecision>> = {
  1: { meaning: 'the exact place', precision: 'settlement', radiusKm: 3, named: true },
  2: { meaning: 'within about 25 km of the place', precision: 'lga', radiusKm: 25, named: true },
  3: { meaning: 'the LGA', precision: 'lga', radiusKm: 30, named: false },
  4: { meaning: 'the state', precision: 'state', radiusKm: 100, named: false },
  5: { meaning: 'a road, a border, a part of the country', precision: 'state', radiusKm: 100, named: true },
  6: { meaning: 'the country', precision: 'state', radiusKm: 600, named: false },
  7: { meaning: 'at sea or in the air', precision: 'state', radiusKm: 200, named: true },
}

export const DATE_PRECISION: Readonly<Record<number, TimePrecision>> = {
  1: 'day',
  2: 'week',
  3: 'week',
  4: 'month',
  5: 'year',
}

/** 1: a report of one event; 2: of several, which UCDP has split. */
export const CLARITY: Readonly<Record<number, number>> = { 1: 1, 2: 0.5 }

/** The types among which the losses of the sides decide. */
const STATE_BASED_TYPES = UCDP_TYPES.filter((rule) => rule.violence === 1 && rule.actor === null).map(
  ({ type }) => type,
)

const COMPILER = 'Uppsala Conflict Data Program'
/** Begins the sentence about the deaths. */
const ESTIMATE = " UCDP's best estimate is "

type FieldReader = (field: keyof typeof UCDP_COLUMNS) => string

export const ucdp = datasetFormat('a UCDP GED file', UCDP_COLUMNS, (get, now) => {
  const faults: string[] = []
  const id = readCount(get('id'))
  if (id === null) faults.push(`id "${get('id')}" is not a number`)
  const violence = readCount(get('violence')) as Violence | null
  if (violence === null || !Object.hasOwn(VIOLENCE, violence))
    faults.push(`type_of_violence "${get('violence')}" must be one of 1, 2, 3`)
  const place = readCode(WHERE_PRECISION, 'where_prec', get('wherePrecision'), faults)
  const timePrecision = readCode(DATE_PRECISION, 'date_prec', get('datePrecision'), faults)
  const quality = readCode(CLARITY, 'event_clarity', get('clarity'), faults)
  const start = readDayCell('date_start', get('start'), now, 'refused', faults)
  const end = get('end') === '' ? null : readDay(get('end'), now)
  const endFault = get('end') === '' ? null : endFaultOf(end, start, now)
  if (endFault !== null) faults.push(`date_end "${get('end')}" ${endFault}`)
  const point = readPoint(['latitude', get('lat')], ['longitude', get('lng')], false, faults)
  const killed = readCountCell('best', get('best'), faults)
  if (faults.length > 0) return rejected(faults.join('; '))

  const report: Report = {
    type: typeOf(violence!, get),
    severity: null,
    occurred_at: new Date(start!).toISOString(),
    time_precision: timePrecision ?? 'day',
    ...point,
    state: get('state').replace(/\s+state$/i, '') || null,
    lga: get('lga').replace(/\s+(lga|local government area)$/i, '') || null,
    place: place?.named ? get('whereCoordinates').replace(/\s+(town|village)$/i, '') || null : null,
    precision: place?.precision ?? null,
    summary: summaryOf(violence!, killed, get),
    sources: sourcesOf(get, now),
    ...UCDP_DATASET,
    casualties: { killed, injured: null, abducted: null },
    // An event of one day has no end of its own.
    ...(end !== null && end > start! ? { occurred_until: timeText(end) } : {}),
  }
  const assumed = assumedIn(violence!, report, get)
  return { kind: 'report', sourceId: `ucdp:${id}`, report, radiusKm: place?.radiusKm ?? null, quality, assumed }
})

function endFaultOf(end: number | null, start: number | null, now: number): string | null {
  if (end === null) return 'is not a date'
  if (start !== null && end < start) return 'lies before date_start'
  return timeFault(end, now)
}

/** Files with fewer columns say less: that is no reason to forget what another one said. */
function assumedIn(violence: Violence, { sources }: Report, get: FieldReader): Assumed {
  const losses = [get('deathsA'), get('deathsB'), get('deathsCivilians')]
  const lostMostIsUnknown = violence === 1 && losses.every((count) => count === '')
  return {
    ...(lostMostIsUnknown ? { type: STATE_BASED_TYPES } : {}),
    ...(get('datePrecision') === '' ? { timePrecision: true } : {}),
    ...(sources.length === 1 && sources[0]!.publisher === COMPILER ? { sources: true } : {}),
    summary: { splitAt: ESTIMATE, beginIsVague: get('whereDescription') === '' || get('state') === '' },
  }
}

function typeOf(violence: Violence, get: FieldReader): IncidentType {
  const actors = new Set<Actor>(actorsIn(get('sideA')))
  if (violence !== 3) for (const actor of actorsIn(get('sideB'))) actors.add(actor)
  const lost = lostMost(get)
  const fitting = UCDP_TYPES.find(
    (rule) =>
      rule.violence === violence &&
      (rule.actor === null || actors.has(rule.actor)) &&
      (rule.lostMost === null || rule.lostMost === lost),
  )
  return fitting!.type
}

function lostMost(get: FieldReader): Loss | null {
  const state = readCount(get('deathsA')) ?? 0
  const group = readCount(get('deathsB')) ?? 0
  const civilians = readCount(get('deathsCivilians')) ?? 0
  if (group > state && group > civilians) return 'armed group'
  return state > group && state > civilians ? 'state' : null
}

/** The publishers that UCDP cites; UCDP, a secondary source, only if it cites none. */
function sourcesOf(get: FieldReader, now: number) {
  const office = get('office')
  const sources = office === '' ? citedSources(get('article'), now) : listedSources(office, get('sourceDate'), now)
  return sources.length === 0 ? [sourceOf(COMPILER)] : sources
}

/** Writes the row's content as sentences, without adding anything. */
function summaryOf(violence: Violence, killed: number | null, get: FieldReader): string {
  const one = named(get('sideA'))
  const deed =
    violence === 3 ? `Violence by ${one} against civilians` : `Fighting between ${one} and ${named(get('sideB'))}`
  const where = get('whereDescription') || get('whereCoordinates')
  const state = get('state')
  const places = [where, where.toLowerCase().includes(state.toLowerCase()) ? '' : state].filter((place) => place !== '')
  const location = places.length === 0 ? '' : `: ${places.join(', ')}`
  return `${deed}${location}.${deathsSentence(killed, get)}`
}

function named(side: string): string {
  return /^government/i.test(side) ? `the ${side}` : side
}

function deathsSentence(killed: number | null, get: FieldReader): string {
  if (killed === null) return ''
  // A few rows have low and high interchanged.
  const estimates = [readCount(get('low')) ?? killed, readCount(get('high')) ?? killed]
  const low = Math.min(...estimates)
  const high = Math.max(...estimates)
  const range = low === high ? '' : ` (between ${low} and ${high})`
  const deaths = killed === 0 ? 'no deaths' : killed === 1 ? '1 death' : `${killed} deaths`
  return `${ESTIMATE}${deaths}${range}.`
}
