import { coordinatesFault, type Report, timeFault } from '../../../../domain/report.ts'
import type { IncidentType } from '../../../../domain/taxonomy.ts'
import { timeText } from '../../../../lib/time.ts'
import { type Actor, actorsIn } from '../actors.ts'
import { findColumns } from '../csv/find-columns.ts'
import { tableFormat } from '../csv/table-format.ts'
import { type Assumed, type Format, rejected } from '../format.ts'
import { citedSources, listedSources, sourceOf } from '../sources.ts'
import { readCode, readCount, readDay, readNumber } from '../values.ts'
import { ESTIMATE, ucdpSummary } from './ucdp-summary.ts'
import {
  CLARITY,
  DATE_PRECISION,
  type Loss,
  UCDP_COLUMNS,
  UCDP_DATASET,
  UCDP_TYPES,
  type UcdpField,
  VIOLENCE,
  type Violence,
  WHERE_PRECISION,
} from './ucdp-tables.ts'

const FILE_KIND = 'a UCDP GED file'
const COMPILER = 'Uppsala Conflict Data Program'

type FieldReader = (field: UcdpField) => string

export const ucdp: Format = tableFormat((header, { now }) => {
  const cell = findColumns(header, UCDP_COLUMNS, FILE_KIND)
  return (cells) => {
    const get: FieldReader = (field) => cell(cells, field)
    if (get('country').toLowerCase() !== 'nigeria') return rejected(`the country is "${get('country')}", not Nigeria`)

    const faults: string[] = []
    const id = readCount(get('id'))
    if (id === null) faults.push(`id "${get('id')}" is not a number`)
    const violence = readCount(get('violence')) as Violence | null
    if (violence === null || !Object.hasOwn(VIOLENCE, violence)) {
      faults.push(`type_of_violence "${get('violence')}" must be one of 1, 2, 3`)
    }
    const place = readCode(WHERE_PRECISION, 'where_prec', get('wherePrecision'), faults)
    const timePrecision = readCode(DATE_PRECISION, 'date_prec', get('datePrecision'), faults)
    const quality = readCode(CLARITY, 'event_clarity', get('clarity'), faults)
    const start = readDay(get('start'), now)
    const startFault = start === null ? 'is not a date' : timeFault(start, now)
    if (startFault !== null) faults.push(`date_start "${get('start')}" ${startFault}`)
    const end = get('end') === '' ? null : readDay(get('end'), now)
    const endFault = get('end') === '' ? null : endFaultOf(end, start, now)
    if (endFault !== null) faults.push(`date_end "${get('end')}" ${endFault}`)
    const lat = readNumber(get('lat'))
    const lng = readNumber(get('lng'))
    const pointFault =
      Number.isNaN(lat) || Number.isNaN(lng)
        ? `latitude "${get('lat')}" or longitude "${get('lng')}" is not a number`
        : coordinatesFault(lat, lng, false)
    if (pointFault !== null) faults.push(pointFault)
    const killed = readCount(get('best'))
    if (killed === null && get('best') !== '') faults.push(`best "${get('best')}" is not a whole number from 0`)
    if (faults.length > 0) return rejected(faults.join('; '))

    const report: Report = {
      type: typeOf(violence!, get),
      severity: null,
      occurred_at: new Date(start!).toISOString(),
      time_precision: timePrecision ?? 'day',
      lat,
      lng,
      state: get('state').replace(/\s+state$/i, '') || null,
      lga: get('lga').replace(/\s+(lga|local government area)$/i, '') || null,
      place: place?.named ? placeName(get('whereCoordinates')) : null,
      precision: place?.precision ?? null,
      summary: ucdpSummary(violence!, killed, get),
      sources: sourcesOf(get, now),
      ...UCDP_DATASET,
      casualties: { killed, injured: null, abducted: null },
      // An event of one day has no end of its own.
      ...(end !== null && end > start! ? { occurred_until: timeText(end) } : {}),
    }
    const assumed = assumedIn(violence!, report, get)
    return { kind: 'report', sourceId: `ucdp:${id}`, report, radiusKm: place?.radiusKm ?? null, quality, assumed }
  }
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

/** The types among which the losses of the sides decide. */
const STATE_BASED_TYPES = UCDP_TYPES.filter((rule) => rule.violence === 1 && rule.actor === null).map(
  ({ type }) => type,
)

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

function placeName(text: string): string | null {
  return text.replace(/\s+(town|village)$/i, '') || null
}

/** The publishers that UCDP cites; UCDP, a secondary source, only if it cites none. */
function sourcesOf(get: FieldReader, now: number) {
  const office = get('office')
  const sources = office === '' ? citedSources(get('article'), now) : listedSources(office, get('sourceDate'), now)
  return sources.length === 0 ? [sourceOf(COMPILER)] : sources
}
