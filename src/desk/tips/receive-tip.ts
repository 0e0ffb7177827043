import type { FieldError } from '../../domain/errors.ts'
import { EMPTY_MODERATION_RECORD } from '../../domain/moderation.ts'
import { singleLine } from '../../domain/summary.ts'
import { type IncidentType, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { MAX_ADDITIONS, MIN_TIP_LENGTH, parseReference, TIP_ACTOR, withoutContacts } from '../../domain/tips.ts'
import type { Geography } from '../../geo/geography.ts'
import { extract } from '../../reading/extract.ts'
import type { Store, TipSubmission } from '../../store/store.ts'
import { changeIncident, keepNote, loadIncident, type SaveChanges } from '../decision.ts'
import {
  buildIncident,
  loadReliability,
  type PlacementResult,
  placeReport,
  reportChanges,
  reportedNow,
} from '../reports/build-incident.ts'
import { readReport } from '../reports/read-report.ts'
import { type Challenge, referenceHashOf, type TipChallenges } from './challenges.ts'

export interface TipParts {
  readonly store: Store
  readonly geography: Geography
  readonly challenges: TipChallenges
  readonly now: number
  /** Counts the submission; throws if too many were sent. */
  readonly admit: () => Promise<void>
}

type TipOutcome =
  | { readonly outcome: 'received'; readonly reference: string }
  /** The challenge was answered before, with other content. */
  | { readonly outcome: 'used'; readonly reference: string }
  | { readonly outcome: 'wrong'; readonly errors: readonly FieldError[] }

/**
 * Stores a tip as a report for the desk. Sent twice, it is stored once and gets the same answer.
 */
export async function receiveTip(parts: TipParts, challenge: Challenge, tip: TipContent): Promise<TipOutcome> {
  const { store, geography, challenges, now, admit } = parts
  const reference = challenges.referenceFor(challenge)
  const submission = challenges.submissionOf(challenge, { tip })
  const earlier = await earlierOutcome(store, submission)
  if (earlier !== null) return { outcome: earlier, reference }
  const read = await readTip(tip, store, geography, now)
  if ('errors' in read) return { outcome: 'wrong', errors: read.errors }
  await admit()
  const [change] = reportChanges([read], TIP_ACTOR, now)
  const { id: incidentId } = read.record.incident
  const referenceHash = referenceHashOf(reference)
  const stored = { referenceHash, incidentId, receivedAt: now, contact: tip.contact }
  const added = await store.tips.add(stored, change!, submission)
  if (added) return { outcome: 'received', reference }
  return { outcome: (await earlierOutcome(store, submission)) ?? 'used', reference }
}

/** Null if the challenge was not used yet. */
async function earlierOutcome({ tips }: Pick<Store, 'tips'>, { challengeHash, fingerprint }: TipSubmission) {
  const earlier = await tips.findSubmission(challengeHash)
  if (earlier === null) return null
  return earlier.fingerprint === fingerprint ? 'received' : 'used'
}

interface Addition {
  readonly reference: string
  readonly text: string
  /** Replaces the contact given before; null keeps it. */
  readonly contact: string | null
}

type AdditionOutcome = 'received' | 'used' | 'unknown' | 'too_many'

/** Adds a note to the report of a tip, or to the incident that the report was merged into. */
export async function addToTip(
  parts: Omit<TipParts, 'geography'>,
  challenge: Challenge,
  addition: Addition,
): Promise<AdditionOutcome> {
  const { store, challenges, now, admit } = parts
  const { text, contact } = addition
  const submission = challenges.submissionOf(challenge, { addition })
  const earlier = await earlierOutcome(store, submission)
  if (earlier !== null) return earlier
  await admit()
  const reference = parseReference(addition.reference)
  const referenceHash = reference === null ? null : referenceHashOf(reference)
  const tip = referenceHash === null ? null : await store.tips.findByReference(referenceHash)
  if (tip === null || referenceHash === null) return 'unknown'

  let outcome = 'received' as AdditionOutcome
  const save: SaveChanges = async ([change]) => {
    const written = { referenceHash, change: change!, contact, submission, maxAdditions: MAX_ADDITIONS }
    const added = await store.tips.addTo(written, now)
    outcome = added === true ? 'received' : added
  }
  const decision = { by: TIP_ACTOR, note: text, expected: null, now }
  const id = await survivorOf(tip.incidentId, store)
  await changeIncident(id, keepNote, decision, store, save)
  // Sent twice at the same moment: the other one was stored.
  return outcome === 'used' ? ((await earlierOutcome(store, submission)) ?? 'used') : outcome
}

/** The incident that stands for the report at present. */
async function survivorOf(incidentId: string, store: Store): Promise<string> {
  const seen = new Set<string>()
  for (let id = incidentId; ; ) {
    const { merged_into } = (await loadIncident(id, store)).moderation
    if (merged_into === null || seen.has(merged_into)) return id
    seen.add(id)
    id = merged_into
  }
}

/** The content that somebody sends, by the page or by the API. */
export interface TipContent {
  readonly place: string | null
  readonly state: string | null
  readonly lga: string | null
  readonly lat: number | null
  readonly lng: number | null
  /** The sender was asked which place is meant, and knows only the state or the LGA. */
  readonly areaOnly: boolean
  readonly text: string
  /** Null: read from the text. */
  readonly type: IncidentType | null
  /** An RFC 3339 time or a date. */
  readonly occurred_at: string
  readonly contact: string | null
}

/** Makes a report of a tip, or says what is missing or could mean several things. */
async function readTip(tip: TipContent, store: Pick<Store, 'publishers'>, geography: Geography, now: number) {
  const errors: FieldError[] = []
  if (singleLine(tip.text).length < MIN_TIP_LENGTH)
    errors.push({ pointer: '/text', message: `must have at least ${MIN_TIP_LENGTH} characters` })
  const candidates = extract({ text: tip.text })
  const type = tip.type ?? candidates[0]?.type ?? null
  if (type === null)
    errors.push({ pointer: '/type', message: 'is not clear from the text: choose one', allowed: TYPE_NAMES })
  const { report, text } = readReport(
    {
      type: type ?? TYPE_NAMES[0]!,
      occurred_at: tip.occurred_at,
      // People say when by the clock, and know it to the hour.
      ...(tip.occurred_at.includes('T') ? { time_precision: 'hour' } : {}),
      summary: withoutContacts(tip.text),
      text: tip.text,
      // Of several incidents in one text, nobody knows whose figures are meant.
      ...(candidates.length === 1 ? { casualties: candidates[0]!.casualties } : {}),
    },
    now,
    errors,
  )
  const placed = placeTip(tip, report.type, geography)
  if ('errors' in placed) errors.push(...placed.errors)
  if ('errors' in placed || errors.length > 0) return { errors: atText(errors) }
  const moderation = { ...EMPTY_MODERATION_RECORD, text, origin: 'tip' as const }
  const reliability = await loadReliability(store)
  const incident = buildIncident(report, placed.placement, reportedNow(now), moderation, null, reliability)
  return { record: { incident, moderation, claim: null } }
}

/** The summary is made from the text: a fault of it is one of the text. */
function atText(errors: readonly FieldError[]): FieldError[] {
  const moved = errors.map((error) => (error.pointer === '/summary' ? { ...error, pointer: '/text' } : error))
  return moved.filter(({ pointer }, index) => moved.findIndex((other) => other.pointer === pointer) === index)
}

/** To about a hundred metres: a phone's own position says more of the sender than of the event. */
const DIGITS = 1000

/**
 * A point counts more than names. A name that is not known is kept as it was written if the state
 * or the LGA is: no tip is lost because a gazetteer lacks a village.
 */
function placeTip(tip: TipContent, type: IncidentType, geography: Geography): PlacementResult {
  const { place, state, lga, lat, lng, areaOnly } = tip
  const nowhere = { type, place: null, state: null, lga: null, lat: null, lng: null, precision: null }
  if (lat !== null || lng !== null)
    return placeReport({ ...nowhere, place, lat: rounded(lat), lng: rounded(lng) }, geography)
  const named = { ...nowhere, state, lga }
  const hasArea = state !== null || lga !== null
  const byName = areaOnly && hasArea ? null : placeReport({ ...named, place }, geography)
  if (byName !== null && !(hasArea && place !== null && isUnknown(byName))) return byName
  const byArea = placeReport(named, geography)
  if ('errors' in byArea) return byArea
  return { placement: { ...byArea.placement, location: { ...byArea.placement.location, place } } }
}

/** Nothing of that name, and nothing like it. */
function isUnknown(result: PlacementResult): boolean {
  return 'errors' in result && result.errors.every(({ pointer, did_you_mean }) => pointer === '/place' && !did_you_mean)
}

const rounded = (degrees: number | null) => (degrees === null ? null : Math.round(degrees * DIGITS) / DIGITS)
