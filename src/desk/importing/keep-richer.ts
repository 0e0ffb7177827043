import { isDeepStrictEqual } from 'node:util'
import { publisherKey, type Reliability } from '../../domain/confidence.ts'
import {
  type Casualties,
  type Incident,
  type LgaBasis,
  orderIncidentFields,
  PRECISIONS,
  type Source,
  TIME_PRECISIONS,
} from '../../domain/incident.ts'
import type { ModerationRecord } from '../../domain/moderation.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import { categoryOf } from '../../domain/taxonomy.ts'
import type { IncidentState } from '../decision.ts'
import { assessIncident, priorAssessmentOf } from '../reports/build-incident.ts'
import type { AssumedSummary } from './formats/format.ts'
import type { PreparedReport } from './prepare-row.ts'

/**
 * Combines a row with the stored incident of the same record: what the row does not say, or says
 * less exactly, stays as it is; everything else is the row's. `poorerFields` are those in which the
 * row says less than is stored.
 */
export function keepRicher(
  stored: IncidentState,
  given: IncidentState,
  row: PreparedReport,
  reliability: Reliability,
): { state: IncidentState; poorerFields: readonly string[] } {
  const { incident: ours } = stored
  const { incident: theirs } = given
  const { assumed = {} } = row
  const poorer = new Set<string>()

  const type = assumed.type?.includes(ours.type) ? ours.type : theirs.type
  if (type !== theirs.type) poorer.add('type')
  const severityIsOurs = stored.moderation.severity_given && row.report.severity === null
  const text = richerSummary(textOf(given), textOf(stored), assumed.summary)
  const { sources, official } = richerSources(stored, given, assumed.sources ?? false)
  const quality = row.quality ?? priorAssessmentOf(ours).importQuality
  const incident: Incident = {
    ...theirs,
    type,
    category: categoryOf(type),
    severity: severityIsOurs ? ours.severity : theirs.severity,
    ...richerPlace(ours, theirs, row, poorer),
    ...richerTime(ours, theirs, assumed.timePrecision ?? false, poorer),
    summary: normalizeSummary(text),
    sources,
    casualties: {
      killed: keepFigure('killed', ours, theirs, poorer),
      injured: keepFigure('injured', ours, theirs, poorer),
      abducted: keepFigure('abducted', ours, theirs, poorer),
    },
    ...keepOptional('casualties_reported', ours, theirs, poorer),
    ...keepOptional('dataset', ours, theirs, poorer),
    ...keepOptional('attribution', ours, theirs, poorer),
  }
  if (normalizeSummary(text) !== theirs.summary) poorer.add('summary')
  if (!isDeepStrictEqual(sources, theirs.sources)) poorer.add('sources')
  if (severityIsOurs) poorer.add('severity')
  if (row.quality === null && quality !== null) poorer.add('quality')
  const moderation: ModerationRecord = {
    ...given.moderation,
    text: normalizeSummary(text) === text ? null : text,
    official,
    severity_given: given.moderation.severity_given || severityIsOurs,
  }
  const assessed = assessIncident(incident, moderation, { importQuality: quality, override: null }, reliability)
  return { state: { incident: orderIncidentFields(assessed), moderation }, poorerFields: [...poorer].sort() }
}

/**
 * Compares what sources say: confidence follows from it and from the operator's list of publishers.
 */
export function saysTheSame(one: IncidentState, other: IncidentState): boolean {
  return isDeepStrictEqual(withoutDerived(one.incident), withoutDerived(other.incident))
}

function withoutDerived(incident: Incident) {
  const { confidence: _c, confidence_reasons: _r, updated_at: _u, version: _v, ...rest } = incident
  return rest
}

function textOf({ incident, moderation }: IncidentState): string {
  return moderation.text ?? incident.summary
}

function keepFigure(name: keyof Casualties, ours: Incident, theirs: Incident, poorer: Set<string>): number | null {
  if (theirs.casualties[name] !== null || ours.casualties[name] === null) return theirs.casualties[name]
  poorer.add('casualties')
  return ours.casualties[name]
}

function keepOptional(
  name: 'casualties_reported' | 'dataset' | 'attribution',
  ours: Incident,
  theirs: Incident,
  poorer: Set<string>,
): Partial<Incident> {
  const { [name]: stored } = ours
  const { [name]: given } = theirs
  const isShorter = Array.isArray(stored) && (given?.length ?? 0) < stored.length
  if (stored === undefined || (given !== undefined && !isShorter)) return given === undefined ? {} : { [name]: given }
  poorer.add(name)
  return { [name]: stored }
}

type Place = Pick<Incident, 'state' | 'lga' | 'lat' | 'lng' | 'location'>

/** Ranks LGAs: named by the source, found by the boundary, estimated, unknown. */
const BASIS_RANK: Readonly<Record<LgaBasis, number>> = { reported: 3, boundary: 2, estimated: 1 }

/**
 * The row's place, with what it lacks from the stored one. A place known less exactly, or moved to
 * another LGA by an estimate, does not replace the stored one at all.
 */
function richerPlace(ours: Incident, theirs: Incident, row: PreparedReport, poorer: Set<string>): Place {
  const [our, their] = [ours.location, theirs.location]
  const precisionIsGiven = row.report.precision !== null || row.report.lat === null
  const isCoarser = precisionIsGiven && PRECISIONS.indexOf(their.precision) > PRECISIONS.indexOf(our.precision)
  const lgaIsPoorer = rankOf(theirs) < rankOf(ours)
  const isElsewhere = their.lga_code !== null && their.lga_code !== our.lga_code
  const isMoved = theirs.lat !== ours.lat || theirs.lng !== ours.lng
  const namesOtherState = row.report.state !== null && theirs.state !== ours.state
  if (isCoarser || (lgaIsPoorer && isElsewhere && isMoved && !namesOtherState)) {
    poorer.add('location')
    const { state, lga, lat, lng, location } = ours
    return { state, lga, lat, lng, location }
  }

  const samePrecision = our.precision === their.precision
  const sameRadius = our.radius_km === their.radius_km
  const keepsLga = lgaIsPoorer && !namesOtherState
  const keepsState = row.report.state === null && theirs.state !== ours.state && !isMoved
  const keepsPrecision = !precisionIsGiven && !(samePrecision && sameRadius)
  const keepsRadius = row.radiusKm === null && samePrecision && !sameRadius
  const keepsName = their.place === null && our.place !== null
  if (keepsLga || keepsState) poorer.add('lga')
  if (keepsPrecision || keepsRadius) poorer.add('precision')
  if (keepsName) poorer.add('place')
  // A point that stands for a state lies in some LGA: that says nothing.
  const isVoid = keepsPrecision && our.precision === 'state' && their.lga_basis !== 'reported'
  const area = keepsLga || keepsState || (isVoid && !namesOtherState) ? ours : theirs
  const { state_code, lga_code, lga_basis } = area.location
  return {
    state: area.state,
    lga: area.lga,
    lat: theirs.lat,
    lng: theirs.lng,
    location: {
      place: (keepsName ? our : their).place,
      precision: (keepsPrecision ? our : their).precision,
      radius_km: (keepsPrecision || keepsRadius ? our : their).radius_km,
      state_code,
      lga_code,
      lga_basis,
    },
  }
}

function rankOf({ location: { lga_basis } }: Incident): number {
  return lga_basis === null ? 0 : BASIS_RANK[lga_basis]
}

/**
 * The row's time; the stored one where the row says it less exactly. `assumed`: the row has a day
 * and does not say how exact it is, so another day is a correction of the day alone.
 */
function richerTime(ours: Incident, theirs: Incident, assumed: boolean, poorer: Set<string>) {
  const coarser = TIME_PRECISIONS.indexOf(theirs.time_precision) - TIME_PRECISIONS.indexOf(ours.time_precision)
  const sameDay = ours.occurred_at.slice(0, 10) === theirs.occurred_at.slice(0, 10)
  if (assumed ? sameDay : coarser > 0) {
    const { occurred_at, published_at, time_precision } = ours
    const isNews = occurred_at !== theirs.occurred_at || time_precision !== theirs.time_precision
    if (isNews) poorer.add('occurred_at')
    return { occurred_at, published_at, time_precision, ...endOf(occurred_at, ours, theirs, poorer) }
  }
  const time_precision = assumed && coarser < 0 ? ours.time_precision : theirs.time_precision
  if (time_precision !== theirs.time_precision) poorer.add('time_precision')
  const { occurred_at, published_at } = theirs
  return { occurred_at, published_at, time_precision, ...endOf(occurred_at, ours, theirs, poorer) }
}

/** The stored end, if the row has none and the event did not begin after it. */
function endOf(start: string, ours: Incident, theirs: Incident, poorer: Set<string>) {
  if (theirs.occurred_until !== undefined) return { occurred_until: theirs.occurred_until }
  const end = ours.occurred_until
  if (end === undefined || Date.parse(end) < Date.parse(start)) return {}
  poorer.add('occurred_until')
  return { occurred_until: end }
}

interface RatedSource extends Source {
  readonly official: boolean
}

/**
 * The row's sources with what is known of each; if the row has fewer than are stored, the stored
 * ones and those that are new. `assumed`: the row names none, and stands for its compiler.
 */
function richerSources(stored: IncidentState, given: IncidentState, assumed: boolean) {
  const ours = listOf(stored)
  if (assumed && ours.length > 0) return toSources(ours)
  const theirs = listOf(given).map((source) => completed(source, ours))
  if (theirs.length >= ours.length) return toSources(theirs)
  const known = new Set(ours.map(({ publisher }) => publisherKey(publisher)))
  return toSources([...ours, ...theirs.filter(({ publisher }) => !known.has(publisherKey(publisher)))])
}

function listOf({ incident, moderation }: IncidentState): RatedSource[] {
  return incident.sources.map((source, index) => ({ ...source, official: moderation.official.includes(index) }))
}

/** Fills in the address and the day of the same publisher's only stored source. */
function completed(source: RatedSource, ours: readonly RatedSource[]): RatedSource {
  const key = publisherKey(source.publisher)
  const [same, ...more] = ours.filter(({ publisher }) => publisherKey(publisher) === key)
  if (same === undefined || more.length > 0) return source
  return { ...source, url: source.url ?? same.url, published_at: source.published_at ?? same.published_at }
}

function toSources(list: readonly RatedSource[]) {
  return {
    sources: list.map(({ url, publisher, published_at }) => ({ url, publisher, published_at })),
    official: list.flatMap(({ official }, index) => (official ? [index] : [])),
  }
}

/** The summary of a row, with what it does not say taken from the stored one of the same record. */
function richerSummary(given: string, stored: string, assumed: AssumedSummary | undefined): string {
  if (assumed === undefined) return given
  if (assumed === 'all') return stored
  const [begin, end] = halves(given, assumed.splitAt)
  const [storedBegin, storedEnd] = halves(stored, assumed.splitAt)
  // Without its end, the stored text is not one that the format composed.
  if (storedEnd === '') return given
  const keepsBegin = assumed.beginIsVague && subjectOf(begin) === subjectOf(storedBegin)
  const keepsEnd = end === '' || withoutDetails(end) === withoutDetails(storedEnd)
  return `${keepsBegin ? storedBegin : begin}${keepsEnd && isLess(end, storedEnd) ? storedEnd : end}`
}

function halves(text: string, splitAt: string): [begin: string, end: string] {
  const at = text.lastIndexOf(splitAt)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

/** The deed without the place, which follows a colon. */
function subjectOf(begin: string): string {
  return begin.split(': ')[0]!.replace(/\.$/, '')
}

/** Details stand in brackets before the full stop: the range of an estimate. */
function withoutDetails(end: string): string {
  return end.replace(/(?: \([^()]*\))?\.$/, '')
}

/** A range that differs is a correction; none says less. */
function isLess(end: string, storedEnd: string): boolean {
  return end === '' || (`${withoutDetails(end)}.` === end && end !== storedEnd)
}
