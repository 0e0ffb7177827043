import type { Incident } from '../domain/incident.ts'
import type { Incidents } from '../store/store.ts'
import { type SyntheticHistory, syntheticIncidents } from './synthetic-incident.ts'

export interface FillOptions extends SyntheticHistory {
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
