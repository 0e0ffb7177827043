import type { Incident } from '../domain/incident.ts'
import type { Locate } from '../geo/geography.ts'
import { type Relocation, relocations } from '../geo/install-boundaries.ts'
import { timeText } from '../lib/time.ts'
import { type DocumentChunk, type IncidentChange, StaleVersion, type Store } from '../store/store.ts'

const BATCH = 500

export interface Relocated {
  readonly found: number
  readonly changed: number
}

/** Counts the public incidents that `locate` puts in another LGA; with `apply`, corrects them. */
export async function relocateArchive(
  store: Store,
  locate: Locate,
  apply: boolean,
  clock: () => number,
): Promise<Relocated> {
  const { chunks } = await store.incidents.snapshot()
  let found = 0
  let changed = 0
  let batch: IncidentChange[] = []
  for await (const chunk of chunks) {
    for (const relocation of relocations(incidentsIn(chunk), locate)) {
      found++
      if (!apply) continue
      batch.push({ incident: corrected(relocation, clock()), event: 'incident.updated' })
      if (batch.length === BATCH) {
        changed += await save(store, batch, clock())
        batch = []
      }
    }
  }
  changed += await save(store, batch, clock())
  return { found, changed }
}

function* incidentsIn({ bytes, ends }: DocumentChunk): Generator<Incident> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let start = 0
  for (const end of ends) {
    yield JSON.parse(buffer.toString('utf8', start, end)) as Incident
    start = end
  }
}

function corrected({ incident, state, lga }: Relocation<Incident>, now: number): Incident {
  return {
    ...incident,
    state: state.name,
    lga: lga.name,
    location: { ...incident.location, state_code: state.code, lga_code: lga.code, lga_basis: 'boundary' },
    updated_at: timeText(now),
    version: incident.version + 1,
  }
}

/** Saves a batch, without incidents changed meanwhile: the next run finds them. */
async function save(store: Store, changes: readonly IncidentChange[], now: number): Promise<number> {
  if (changes.length === 0) return 0
  try {
    await store.incidents.save(changes, now)
    return changes.length
  } catch (error) {
    if (!(error instanceof StaleVersion)) throw error
    return save(
      store,
      changes.filter(({ incident }) => incident.id !== error.incidentId),
      now,
    )
  }
}
