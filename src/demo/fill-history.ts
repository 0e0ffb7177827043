import type { Incident } from '../domain/incident.ts'
import type { Incidents } from '../store/store.ts'
import { type SyntheticHistory, syntheticIncidents } from './synthetic-incident.ts'

export interface Filling extends SyntheticHistory {
  readonly store: { readonly incidents: Pick<Incidents, 'save'> }
  readonly now: () => number
  /** Incidents in one transaction. */
  readonly batch?: number
  /** Told after each batch how many are in the store. */
  readonly onProgress?: (saved: number) => void
}

const BATCH = 1000

/** Writes made-up history to a store, as an import: it reaches no watch and no stream. Returns how many were written. */
export async function fillWithHistory(filling: Filling): Promise<number> {
  const { store, now, batch = BATCH, onProgress } = filling
  let saved = 0
  for (const incidents of batches(syntheticIncidents(filling), batch)) {
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
