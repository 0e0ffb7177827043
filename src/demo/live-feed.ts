import { setTimeout as sleep } from 'node:timers/promises'
import { type Casualties, type Incident, severityOf } from '../domain/incident.ts'
import { TRANSITIONS } from '../domain/moderation.ts'
import type { Places } from '../domain/places.ts'
import { pick, type Random, randomInteger } from '../lib/random.ts'
import type { IncidentChange, Incidents } from '../store/store.ts'
import { type Country, countryOf } from './country.ts'
import { TRAITS } from './mixes.ts'
import { HARMS, type Harm, numberInWords, opening } from './summary.ts'
import { type SyntheticHistory, syntheticIncident, syntheticIncidents } from './synthetic-incident.ts'
import { isoTime } from './times.ts'

export interface LiveFeedOptions {
  readonly places: Places
  readonly save: Incidents['save']
  /** Stops the feed; the promise resolves once no save is in progress. */
  readonly signal: AbortSignal
  /** Receives the error of a change that could not be saved; the feed skips it and goes on. */
  readonly onError: (error: unknown) => void
  /** Mean time between two changes, in milliseconds. */
  readonly interval: number
  /** Largest deviation from the interval, as a share: 0.5 is from half to one and a half of it. */
  readonly jitter: number
  readonly now?: () => number
  readonly random?: Random
  /** Resolves after that time, or as soon as the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const RETRACTED_SHARE = 1 / 40
const CORRECTED_SHARE = 1 / 12
const MAX_RECENT = 40

/** Saves synthetic incidents at intervals; corrects some of them and retracts a few. */
export async function runLiveFeed(options: LiveFeedOptions): Promise<void> {
  const { places, save, signal, onError, interval, jitter } = options
  const { now = Date.now, random = Math.random, wait = pause } = options
  const ground = countryOf(places)
  let recent: readonly Incident[] = []
  while (!signal.aborted) {
    await wait(interval * (1 + jitter * (2 * random() - 1)), signal)
    if (signal.aborted) return
    const time = now()
    const change = nextChange(ground, recent, time, random)
    // Forget an incident whose change failed: its stored version is unknown.
    recent = recent.filter(({ id }) => id !== change.incident.id)
    try {
      await save([change], time)
      if (change.incident.status === 'confirmed') recent = [...recent, change.incident].slice(-MAX_RECENT)
    } catch (error) {
      onError(error)
    }
  }
}

function nextChange(ground: Country, recent: readonly Incident[], now: number, random: Random): IncidentChange {
  const chance = random()
  if (recent.length > 0 && chance < RETRACTED_SHARE) {
    return { incident: retracted(pick(random, recent), now), event: TRANSITIONS.retract.event }
  }
  if (recent.length > 0 && chance < RETRACTED_SHARE + CORRECTED_SHARE) {
    const incident = corrected(pick(random, recent), now, random)
    if (incident) return { incident, event: 'incident.updated' }
  }
  return { incident: syntheticIncident(ground, now, random), event: TRANSITIONS.confirm.event }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // The sleep rejects only when the signal aborts, which ends the wait as well.
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}

interface FillOptions extends SyntheticHistory {
  readonly store: { readonly incidents: Pick<Incidents, 'save'> }
  readonly now: () => number
  /** Incidents per transaction. */
  readonly batch?: number
  /** Called after each batch with the number of incidents saved so far. */
  readonly onProgress?: (saved: number) => void
}

const BATCH_SIZE = 1000

/** Saves as an import, so that no watch or stream receives it. Returns the number of incidents. */
export async function fillWithHistory(options: FillOptions): Promise<number> {
  const { store, now, batch = BATCH_SIZE, onProgress } = options
  let saved = 0
  for (const incidents of batches(syntheticIncidents(options), batch)) {
    const changes = incidents.map((incident) => ({ incident, event: 'incident.imported' as const }))
    await store.incidents.save(changes, now())
    saved += incidents.length
    onProgress?.(saved)
  }
  return saved
}

function* batches(incidents: Iterable<Incident>, size: number): Generator<Incident[]> {
  let batch: Incident[] = []
  for (const incident of incidents) {
    batch.push(incident)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const MAX_RISE = 3

/** Sentences about a figure that has risen, and about one or several that were not known before. */
const SENTENCES: Readonly<Record<Harm, readonly [risen: string, one: string, several: string]>> = {
  killed: ['The death toll', 'death has since been confirmed', 'deaths have since been confirmed'],
  injured: ['The number of injured', 'person was later found injured', 'people were later found injured'],
  abducted: ['The number taken', 'person was later found missing', 'people were later found missing'],
}

/** The incident's next version with one higher casualty figure; null where no figure can rise. */
export function corrected(incident: Incident, now: number, random: Random): Incident | null {
  const { figures } = TRAITS[incident.type]
  const open = HARMS.filter((harm) => (incident.casualties[harm] ?? 0) < (figures[harm]?.most ?? 0))
  if (open.length === 0) return null
  const harm = pick(random, open)
  const { least, most } = figures[harm]!
  const before = incident.casualties[harm] ?? 0
  const number = Math.min(most, Math.max(least, before + randomInteger(random, 1, MAX_RISE)))
  const casualties: Casualties = { ...incident.casualties, [harm]: number }
  return {
    ...incident,
    casualties,
    severity: severityOf(incident.type, casualties),
    summary: `${firstSentence(incident.summary)} ${correction(harm, number, before > 0)}`,
    updated_at: isoTime(now),
    version: incident.version + 1,
  }
}

function correction(harm: Harm, number: number, wasKnown: boolean): string {
  const [risen, one, several] = SENTENCES[harm]
  if (wasKnown) return `${risen} has since risen to ${numberInWords(number)}.`
  return `${opening(numberInWords(number))} ${number === 1 ? one : several}.`
}

export function retracted(incident: Incident, now: number): Incident {
  return { ...incident, updated_at: isoTime(now), status: TRANSITIONS.retract.to, version: incident.version + 1 }
}

/** Summaries contain no abbreviations, so the first full stop ends the first sentence. */
function firstSentence(summary: string): string {
  return summary.slice(0, summary.indexOf('.') + 1)
}
