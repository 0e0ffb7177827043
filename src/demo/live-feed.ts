import { setTimeout as sleep } from 'node:timers/promises'
import type { Incident } from '../domain/incident.ts'
import { TRANSITIONS } from '../domain/lifecycle.ts'
import type { Places } from '../domain/places.ts'
import { pick, type Random } from '../lib/random.ts'
import type { IncidentChange, Incidents } from '../store/store.ts'
import { corrected, retracted } from './corrections.ts'
import { type Country, countryOf } from './place/country.ts'
import { syntheticIncident } from './synthetic-incident.ts'

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
export async function runLiveFeed({
  places,
  save,
  signal,
  onError,
  interval,
  jitter,
  now = Date.now,
  random = Math.random,
  wait = pause,
}: LiveFeedOptions): Promise<void> {
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
