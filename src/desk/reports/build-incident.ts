import { confidenceOf, type Evidence, type Reliability, reliabilityFrom } from '../../domain/confidence.ts'
import { didYouMean, type FieldError } from '../../domain/errors.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import {
  type Incident,
  type LgaBasis,
  PRECISIONS,
  type Precision,
  type Source,
  severityOf,
} from '../../domain/incident.ts'
import { type Actor, EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../domain/moderation.ts'
import { LOCATION_UNCERTAINTY_KM } from '../../domain/near-duplicates.ts'
import type { Lga, PlaceLookup, Places, State } from '../../domain/places.ts'
import { coordinatesFault, type Report, type ReportBody, type ReportedSource } from '../../domain/report.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import { categoryOf } from '../../domain/taxonomy.ts'
import type { PlaceCandidate } from '../../geo/finding/candidates.ts'
import { asPreciseAsCertain, foundPlace, rivalsOf } from '../../geo/finding/find-place.ts'
import type { Geography, Locate, Located } from '../../geo/geography.ts'
import { eventLoopShare } from '../../lib/concurrency.ts'
import { KM_PER_DEGREE } from '../../lib/geometry.ts'
import { randomBytes } from '../../lib/runtime.ts'
import { timeText } from '../../lib/time.ts'
import type { IncidentChange, IncidentRecord, Store } from '../../store/store.ts'
import { newHistoryEntry } from '../decision.ts'
import { readReport } from './read-report.ts'

/** The fields that do not come from the report. */
type Identity = Pick<Incident, 'id' | 'reported_at' | 'confirmed_at' | 'published_at' | 'updated_at' | 'status'>

export function reportedNow(now: number, id = newIdentifier('incident', now, randomBytes)): Identity {
  const time = timeText(now)
  return { id, reported_at: time, confirmed_at: null, published_at: null, updated_at: time, status: 'reported' }
}

/** Builds the first version of an incident. */
export function buildIncident(
  report: Report,
  placement: Placement,
  identity: Identity,
  moderation: ModerationRecord,
  importQuality: number | null,
  reliability: Reliability,
): Incident {
  const { id, reported_at, confirmed_at, published_at, updated_at, status } = identity
  // In the order of the wire: the document is serialized in this order.
  const incident: Incident = {
    id,
    type: report.type,
    category: categoryOf(report.type),
    severity: report.severity ?? 'low',
    state: placement.state,
    lga: placement.lga,
    lat: placement.lat,
    lng: placement.lng,
    location: placement.location,
    confidence: 0,
    confidence_reasons: [],
    summary: normalizeSummary(report.summary),
    sources: report.sources.map(toSource),
    ...(report.dataset ? { dataset: report.dataset } : {}),
    ...(report.attribution ? { attribution: report.attribution } : {}),
    casualties: report.casualties,
    ...(report.casualties_reported ? { casualties_reported: report.casualties_reported } : {}),
    occurred_at: timeText(Date.parse(report.occurred_at)),
    ...(report.occurred_until ? { occurred_until: report.occurred_until } : {}),
    time_precision: report.time_precision,
    reported_at,
    confirmed_at,
    published_at,
    updated_at,
    status,
    version: 1,
  }
  return assessIncident(incident, moderation, { importQuality, override: null }, reliability)
}

export function toSource({ url, publisher, published_at }: ReportedSource): Source {
  return { url, publisher, published_at: published_at === null ? null : timeText(Date.parse(published_at)) }
}

/** Indexes of the sources that speak for the police, the army or the government. */
export function officialSourceIndexes(sources: readonly ReportedSource[]): number[] {
  return sources.flatMap(({ official }, index) => (official ? [index] : []))
}

/** Confidence inputs not stored beside the incident; `priorAssessmentOf` reads them back. */
type PriorAssessment = Pick<Evidence, 'importQuality' | 'override'>

/** Computes confidence and severity; a severity that a person has set is kept. */
export function assessIncident(
  incident: Incident,
  moderation: ModerationRecord,
  prior: PriorAssessment,
  reliability: Reliability,
): Incident {
  const { confidence, reasons } = confidenceOf(
    {
      sources: incident.sources.map((source, index) => ({ ...source, official: moderation.official.includes(index) })),
      precision: incident.location.precision,
      timePrecision: incident.time_precision,
      ...prior,
    },
    reliability,
  )
  const severity = moderation.severity_given ? incident.severity : severityOf(incident.type, incident.casualties)
  return { ...incident, severity, confidence, confidence_reasons: reasons }
}

/** Reads import quality and operator's override back from the confidence reasons. */
export function priorAssessmentOf(incident: Incident): PriorAssessment {
  const valueIn = (name: string) => incident.confidence_reasons.find(({ reason }) => reason === name)?.value
  const quality = valueIn('import_quality')
  return {
    importQuality: typeof quality === 'number' ? quality : null,
    override: valueIn('operator_override') === undefined ? null : incident.confidence,
  }
}

export async function loadReliability({ publishers }: Pick<Store, 'publishers'>): Promise<Reliability> {
  return reliabilityFrom((await publishers.list()).map(({ name, kind }) => [name, kind] as const))
}

/** Finding the place of one report takes a tenth of a millisecond and more. */
const REPORTS_PER_TURN = 10

export type ReceivedReport = { readonly record: IncidentRecord } | { readonly errors: readonly FieldError[] }
type GivenReport = ReportBody | readonly FieldError[]

/**
 * Reads reports, in the order of the bodies; `reportChanges` are what to save of them. A body that
 * did not fit the schema is passed as its errors.
 */
export async function readReports(
  bodies: readonly GivenReport[],
  store: Pick<Store, 'publishers'>,
  geography: Geography,
  now: number,
): Promise<ReceivedReport[]> {
  const reliability = await loadReliability(store)
  const results: ReceivedReport[] = []
  for (let start = 0; start < bodies.length; start += REPORTS_PER_TURN) {
    if (bodies.length > 1) await eventLoopShare.nextSlice('reports')
    results.push(...bodies.slice(start, start + REPORTS_PER_TURN).map(readOne))
  }
  return results

  function readOne(body: GivenReport): ReceivedReport {
    if (isRefused(body)) return { errors: body }
    const errors: FieldError[] = []
    const { report, text } = readReport(body, now, errors)
    const placed = placeReport(report, geography)
    if ('errors' in placed) errors.push(...placed.errors)
    if ('errors' in placed || errors.length > 0) return { errors }
    const official = officialSourceIndexes(report.sources)
    const moderation = { ...EMPTY_MODERATION_RECORD, text, official, severity_given: report.severity !== null }
    const incident = buildIncident(report, placed.placement, reportedNow(now), moderation, null, reliability)
    return { record: { incident, moderation, claim: null } }
  }
}

function isRefused(body: GivenReport): body is readonly FieldError[] {
  return Array.isArray(body)
}

export function reportChanges(results: readonly ReceivedReport[], by: Actor, now: number): IncidentChange[] {
  return results.flatMap((result) => {
    if (!('record' in result)) return []
    const { incident, moderation } = result.record
    const historyEntry = newHistoryEntry('report', incident.version, { by, now, note: null })
    return [{ incident, event: null, historyEntry, ...(moderation ? { moderation } : {}) }]
  })
}

export type GivenPlace = Pick<Report, 'type' | 'lat' | 'lng' | 'state' | 'lga' | 'place' | 'precision'>
export type Placement = Pick<Incident, 'state' | 'lga' | 'lat' | 'lng' | 'location'>
export type PlacementResult = { readonly placement: Placement } | { readonly errors: readonly FieldError[] }

/** Distance a point may lie outside the named state or LGA, by the accuracy of the borders. */
const BORDER_TOLERANCE_KM = { boundary: 5, estimated: 10, reported: 10 } as const satisfies Record<LgaBasis, number>
const BEARINGS = Array.from({ length: 8 }, (_, index) => (index * Math.PI) / 4)

/** Coordinates and names must agree; an imprecise description yields an imprecise location. */
export function placeReport(given: GivenPlace, geography: Geography): PlacementResult {
  const errors: FieldError[] = []
  const named = resolveNames(given, geography.places, errors)
  if ((given.lat === null) !== (given.lng === null))
    errors.push({ pointer: given.lat === null ? '/lat' : '/lng', message: 'is missing: give both or neither' })
  if (given.lat === null && given.state === null && given.lga === null && given.place === null)
    errors.push({ pointer: '/place', message: 'is missing: give lat and lng, a state, an LGA or a place' })
  if (errors.length > 0) return { errors }
  return given.lat === null ? placeByNames(given, named, geography) : placeByPoint(given, named, geography)
}

function placeByPoint(given: GivenPlace, named: NamedArea, geography: Geography): PlacementResult {
  const lat = given.lat!
  const lng = given.lng!
  const { locate, basis } = geography
  const located = locate(lat, lng)
  const mayBeAtSea = given.type === 'piracy' && named.state !== null && coordinatesFault(lat, lng, true) === null
  if (located.kind === 'outside' && !mayBeAtSea) {
    const swapped = locate(lng, lat).kind === 'located'
    const message = swapped
      ? `${lat}, ${lng} lies outside Nigeria; lat and lng look swapped: the other way round they lie in ${nameAt(geography, lng, lat)}`
      : `${located.message}${given.type === 'piracy' ? '; name the state off whose coast it was' : ''}`
    return { errors: [{ pointer: '/lat', message }] }
  }
  const areas = [...areasNear(locate, lat, lng, BORDER_TOLERANCE_KM[basis])]
  const matching = areas.find(
    ({ state, lga }) =>
      (named.state === null || state === named.state) &&
      (named.lga === null || lga === named.lga || given.precision === 'state'),
  )
  if (!matching && !mayBeAtSea) return { errors: [mismatchError(given, named, geography)] }
  const state = named.state ?? matching!.state
  const precision = given.precision ?? 'settlement'
  const lga = named.lga ?? (precision === 'state' || !matching ? null : matching.lga)
  return {
    placement: locationAt({ lat, lng, state, lga, precision, place: given.place }, named.lga ? 'reported' : basis),
  }
}

type LocatedArea = Located & { kind: 'located' }

/** Yields the LGA at a point, then those in eight directions: borders are not exact. */
function* areasNear(locate: Locate, lat: number, lng: number, withinKm: number): Generator<LocatedArea> {
  for (const km of [0, withinKm / 2, withinKm]) {
    for (const bearing of km === 0 ? [0] : BEARINGS) {
      const latitude = lat + (km * Math.cos(bearing)) / KM_PER_DEGREE
      const longitude = lng + (km * Math.sin(bearing)) / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180))
      const located = locate(latitude, longitude)
      if (located.kind === 'located') yield located
    }
  }
}

function mismatchError({ lat, lng }: GivenPlace, { state, lga }: NamedArea, geography: Geography): FieldError {
  const there = nameAt(geography, lat!, lng!)
  const wanted = lga ? `${lga.name}, ${lga.state.name}` : state!.name
  const reversed = geography.locate(lng!, lat!)
  const swapped = reversed.kind === 'located' && reversed.state === state
  const hint = swapped ? '; lat and lng look swapped: the other way round they lie there' : ''
  return { pointer: '/lat', message: `${lat}, ${lng} lies in ${there}, not in ${wanted}${hint}` }
}

function nameAt({ locate }: Geography, lat: number, lng: number): string {
  const located = locate(lat, lng)
  return located.kind === 'located' ? `${located.lga.name}, ${located.state.name}` : 'no state'
}

function placeByNames(given: GivenPlace, named: NamedArea, geography: Geography): PlacementResult {
  const candidates = geography.findPlace(given.place ?? '', {
    ...(named.state ? { state: named.state.code } : {}),
    ...(named.lga ? { lga: named.lga.code } : {}),
  })
  const [best] = candidates
  if (!best) {
    const message = `"${given.place?.slice(0, 60)}" is not a known place; add its state, or give lat and lng`
    return { errors: [{ pointer: '/place', message }] }
  }
  const others = rivalsOf(candidates)
  // Similar letters are a question, not an answer: "Afaka" is not Ajaka.
  const question =
    best.matched.how === 'similar'
      ? `"${best.matched.text}" is not a known place; name one that is meant, or give lat and lng`
      : others.length > 0
        ? 'could be several places: add the state or the LGA, or give lat and lng'
        : null
  if (question !== null) return { errors: [questionError(question, best, others)] }
  return { placement: placementFor(asPreciseAsCertain(best), given, named, geography) }
}

const MAX_CHOICES = 5

function questionError(message: string, best: PlaceCandidate, others: readonly PlaceCandidate[]): FieldError {
  const meanings = [best, ...others].map(({ name, lga, state }) =>
    lga && lga.name !== name ? `${name}, ${lga.name}, ${state.name}` : `${name}, ${state.name}`,
  )
  const candidates = [foundPlace(best, false), ...others.map((other) => foundPlace(other, true))]
  return {
    pointer: '/place',
    message,
    did_you_mean: [...new Set(meanings)].slice(0, MAX_CHOICES),
    candidates: candidates.slice(0, MAX_CHOICES),
  }
}

function placementFor(best: PlaceCandidate, given: GivenPlace, named: NamedArea, geography: Geography): Placement {
  const { lat, lng, state, name } = best
  const precision = coarser(best.precision, given.precision)
  const located = geography.locate(lat, lng)
  const here = located.kind === 'located' && located.state === state ? located : null
  const said = best.precision === 'lga' ? best.lga : named.lga
  const lga = said ?? (best.precision === 'settlement' ? (here?.lga ?? best.lga) : null)
  const basis = said ? 'reported' : here ? here.basis : 'estimated'
  const place = given.place ?? (best.precision === 'settlement' ? name : null)
  const placement = locationAt({ lat, lng, state, lga, precision, place }, basis)
  // A city or a large LGA has a larger radius than its precision implies.
  const radius_km = Math.max(best.radius_km, precision === best.precision ? 0 : LOCATION_UNCERTAINTY_KM[precision])
  return { ...placement, location: { ...placement.location, radius_km } }
}

/** A place found by name is at most as precise as the name. */
function coarser(found: Precision, given: Precision | null): Precision {
  return given !== null && PRECISIONS.indexOf(given) > PRECISIONS.indexOf(found) ? given : found
}

interface PlacedPoint extends Pick<Incident, 'lat' | 'lng'>, Pick<Incident['location'], 'precision' | 'place'> {
  readonly state: State
  readonly lga: Lga | null
}

export function locationAt({ lat, lng, state, lga, precision, place }: PlacedPoint, basis: LgaBasis): Placement {
  return {
    state: state.name,
    lga: lga?.name ?? null,
    lat: rounded(lat),
    lng: rounded(lng),
    location: {
      place,
      precision,
      radius_km: LOCATION_UNCERTAINTY_KM[precision],
      state_code: state.code,
      lga_code: lga?.code ?? null,
      lga_basis: lga ? basis : null,
    },
  }
}

/** To about a decimetre; further digits are noise. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}

interface NamedArea {
  readonly state: State | null
  readonly lga: Lga | null
}

/** Resolves state and LGA; adds wrong names to `errors`. */
function resolveNames({ state, lga }: GivenPlace, places: Places, errors: FieldError[]): NamedArea {
  const namedState = state === null ? null : stateNamed(state, places, errors)
  // An LGA cannot be checked against an unknown state.
  if (lga === null || (state !== null && namedState === null)) return { state: namedState, lga: null }
  const namedLga = lgaNamed(lga, namedState, places, errors)
  return { state: namedState ?? namedLga?.state ?? null, lga: namedLga }
}

function stateNamed(name: string, places: Places, errors: FieldError[]): State | null {
  const found = places.findState(name)
  if (found.kind === 'found') return found.place
  errors.push(unknown('/state', name, 'a state of Nigeria', found))
  return null
}

function lgaNamed(name: string, state: State | null, places: Places, errors: FieldError[]): Lga | null {
  const found = places.findLga(name, state && [state.code])
  if (found.kind === 'found') return found.place
  if (found.kind === 'unknown') {
    errors.push(unknown('/lga', name, state ? `an LGA of ${state.name}` : 'an LGA of Nigeria', found))
  } else {
    const states = found.places.map((place) => place.state.name).join(' and ')
    const message =
      found.kind === 'ambiguous'
        ? `"${name}" is in ${states}: name the state`
        : `"${name}" lies in ${states}, not in ${state!.name}`
    errors.push({ pointer: '/lga', message, allowed: found.places.map(({ code }) => code) })
  }
  return null
}

function unknown(pointer: string, name: string, what: string, found: PlaceLookup<unknown>): FieldError {
  const near = found.kind === 'unknown' ? found.suggestions : []
  return { pointer, message: `"${name.slice(0, 60)}" is not ${what}`, ...didYouMean(near) }
}
