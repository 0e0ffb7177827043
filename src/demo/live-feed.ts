import { setTimeout as sleep } from 'node:timers/promises'
import type { Incident } from '../domain/incident.ts'
import { TRANSITIONS } from '../domain/lifecycle.ts'
import type { Places } from '../domain/places.ts'
import { pick, type Random } from '../lib/random.ts'
import type { IncidentChange, Incidents } from '../store/store.ts'
import { corrected, retracted } from './corrections.ts'
import { type Country, countryOf } from './place/country.ts'
import { syntheticIncident } from './synthetic-incident.ts'

export interface Arrivals {
  readonly places: Places
  readonly save: Incidents['save']
  /** Ends the arrivals: the promise resolves once nothing is being saved. */
  readonly signal: AbortSignal
  /** A change that could not be saved is told here and left behind; the next one is tried as if nothing had happened. */
  readonly onError: (error: unknown) => void
  /** Milliseconds from one change to the next, on average. */
  readonly interval: number
  /** How far an interval may stray from the average: 0.5 is from half of it to one and a half. */
  readonly jitter: number
  readonly now?: () => number
  readonly random?: Random
  /** Resolves after that time, or as soon as the signal is aborted. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const RETRACTED_SHARE = 1 / 40
const CORRECTED_SHARE = 1 / 12
const REMEMBERED = 40

/** A demo's live feed: made-up incidents keep arriving, some are corrected, a few are retracted. */
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
}: Arrivals): Promise<void> {
  const ground = countryOf(places)
  let recent: readonly Incident[] = []
  while (!signal.aborted) {
    await wait(interval * (1 + jitter * (2 * random() - 1)), signal)
    if (signal.aborted) return
    const time = now()
    const change = nextChange(ground, recent, time, random)
    // An incident whose change failed is forgotten: somebody else may have changed it, or the store did write it.
    recent = recent.filter(({ id }) => id !== change.incident.id)
    try {
      await save([change], time)
      if (change.incident.status === 'confirmed') recent = [...recent, change.incident].slice(-REMEMBERED)
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
  // Rejects only where the signal is aborted, and then there is nothing left to wait for.
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}
