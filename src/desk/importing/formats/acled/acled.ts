import { coordinatesFault, type Report, timeFault } from '../../../../domain/report.ts'
import { type IncidentType, TYPE_NAMES, TYPES } from '../../../../domain/taxonomy.ts'
import { type Actor, actorsIn } from '../actors.ts'
import { findColumns } from '../csv/find-columns.ts'
import { tableFormat } from '../csv/table-format.ts'
import { type Assumed, type Format, rejected } from '../format.ts'
import { listedSources, sourceOf } from '../sources.ts'
import { readCode, readCount, readDay, readNumber } from '../values.ts'
import { correctByNotes, judgeNotes, type NotesReading } from './acled-notes.ts'
import {
  ACLED_ACTORS,
  ACLED_COLUMNS,
  ACLED_DATASET,
  ACLED_TYPES,
  type AcledField,
  type EventClass,
  GEO_PRECISION,
  TIME_PRECISION,
} from './acled-tables.ts'

const FILE_KIND = 'an ACLED file'
const COMPILER = 'ACLED'

type FieldReader = (field: AcledField) => string

export const acled: Format = tableFormat((header, { now }) => {
  const cell = findColumns(header, ACLED_COLUMNS, FILE_KIND)
  return (cells) => {
    const get: FieldReader = (field) => cell(cells, field)
    if (get('country').toLowerCase() !== 'nigeria') return rejected(`the country is "${get('country')}", not Nigeria`)

    const faults: string[] = []
    if (get('id') === '') faults.push('event_id_cnty is empty')
    const notes = readNotes(get)
    const reading = typeOf(get, notes, faults)
    const type = reading?.type ?? null
    const place = readCode(GEO_PRECISION, 'geo_precision', get('geoPrecision'), faults)
    const timePrecision = readCode(TIME_PRECISION, 'time_precision', get('timePrecision'), faults)
    const day = readDay(get('date'), now, 'day first')
    const dayFault = day === null ? 'is not a date' : timeFault(day, now)
    if (dayFault !== null) faults.push(`event_date "${get('date')}" ${dayFault}`)
    const lat = readNumber(get('lat'))
    const lng = readNumber(get('lng'))
    const pointFault =
      Number.isNaN(lat) || Number.isNaN(lng)
        ? `latitude "${get('lat')}" or longitude "${get('lng')}" is not a number`
        : coordinatesFault(lat, lng, type === 'piracy')
    if (pointFault !== null) faults.push(pointFault)
    const killed = readCount(get('fatalities'))
    if (killed === null && get('fatalities') !== '')
      faults.push(`fatalities "${get('fatalities')}" is not a whole number from 0`)
    if (type === null || faults.length > 0) return rejected(faults.join('; '))

    const sources = listedSources(get('source'), '', now)
    const report: Report = {
      type,
      severity: null,
      occurred_at: new Date(day!).toISOString(),
      time_precision: timePrecision ?? 'day',
      lat,
      lng,
      state: get('state') || null,
      lga: get('lga') || null,
      place: place?.named === false ? null : get('location') || null,
      precision: place?.precision ?? null,
      summary: notes === '' ? summaryOf(type, get) : notes,
      sources: sources.length === 0 ? [sourceOf(COMPILER)] : sources,
      ...ACLED_DATASET,
      casualties: { killed, injured: null, abducted: reading!.abducted },
    }
    const radiusKm = place?.radiusKm ?? null
    const assumed = assumedIn(report, notes, get)
    return { kind: 'report', sourceId: `acled:${get('id')}`, report, radiusKm, quality: null, assumed }
  }
})

/** Files with fewer columns say less: that is no reason to forget what another one said. */
function assumedIn({ sources }: Report, notes: string, get: FieldReader): Assumed {
  const typeIsVague = notes === '' || get('actor1') === ''
  return {
    ...(typeIsVague ? { type: TYPE_NAMES } : {}),
    ...(get('timePrecision') === '' ? { timePrecision: true } : {}),
    ...(sources.length === 1 && sources[0]!.publisher === COMPILER ? { sources: true } : {}),
    ...(notes === '' ? { summary: 'all' as const } : {}),
  }
}

function typeOf(get: FieldReader, notes: string, faults: string[]): NotesReading | null {
  const event = get('event').toLowerCase()
  const subEvent = get('subEvent').toLowerCase()
  const subEvents = Object.hasOwn(ACLED_TYPES, event) ? ACLED_TYPES[event]! : {}
  const eventClass = Object.hasOwn(subEvents, subEvent) ? subEvents[subEvent] : undefined
  const said = [get('event'), get('subEvent')].filter(Boolean).join(' / ')
  const judged = eventClass === 'notes' ? judgeNotes(notes) : null
  if (eventClass === undefined) faults.push(`event_type "${said}" is not known`)
  if (eventClass === null) faults.push(`"${said}" is not an incident`)
  if (eventClass === 'notes' && judged === null) faults.push(`the notes of "${said}" tell of no incident`)
  if (eventClass === undefined || eventClass === null) return null
  if (eventClass === 'notes') return judged && { ...judged, type: typeByActors(judged.type, get) }
  const firstIsState = actorKindsOf(get, false).has('state')
  return correctByNotes(typeByActors(eventClass, get), eventClass, notes, firstIsState)
}

function typeByActors(eventClass: Exclude<EventClass, 'notes' | null>, get: FieldReader): IncidentType {
  if (eventClass === 'demonstration') return /^rioters/i.test(get('actor1')) ? 'riot' : 'protest'
  if (eventClass !== 'clash' && eventClass !== 'attack' && eventClass !== 'loot') return eventClass
  const actors = actorKindsOf(get, eventClass === 'clash')
  return ACLED_ACTORS[eventClass].find(([actor]) => actor === '*' || actors.has(actor))![1]
}

/** For an attack only the first side counts: the second one is the victim. */
function actorKindsOf(get: FieldReader, both: boolean): Set<Actor> {
  const names = both ? [get('actor1'), get('ally1'), get('actor2'), get('ally2')] : [get('actor1'), get('ally1')]
  return new Set(names.flatMap((name) => [...actorsIn(name)]))
}

/** Without the number of demonstrators that ACLED appends. */
function readNotes(get: FieldReader): string {
  return get('notes')
    .replace(/\s*\[size=[^\]]*\]\s*$/i, '')
    .trim()
}

function summaryOf(type: IncidentType, get: FieldReader): string {
  const actors = [get('actor1'), get('actor2')].filter(Boolean).join(' and ')
  const where = [get('location'), get('state')].filter(Boolean).join(', ')
  return `${TYPES[type].label}: ${[actors, where].filter(Boolean).join('; ')}.`
}
