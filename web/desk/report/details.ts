import { useEffect, useState } from 'preact/hooks'
import { createStore } from '../../shared/store.ts'
import { readHistory, readIncident } from '../api/desk-api.ts'
import { RequestError } from '../api/request.ts'
import type { DeskIncident, Step } from '../api/types.ts'
import { onDeskChange } from '../queue/live.ts'
import { findRow } from '../queue/queue.ts'
import { currentId, nextIds } from './current.ts'

/** What was read about one incident. */
export interface Details {
  readonly incident: DeskIncident | null
  /** Null until it was read. */
  readonly history: readonly Step[] | null
  /** Possible duplicates in full, likeliest first; null until they were read. */
  readonly duplicates: readonly DeskIncident[] | null
  /** Why it could not be read. */
  readonly failure: string | null
}

const MAX_KEPT = 60
const READ_AHEAD = 2
const MAX_DUPLICATES = 4
/** Who leafs through the list quickly does not read every report on the way. */
const SETTLE_MS = 60

const NOTHING: Details = { incident: null, history: null, duplicates: null, failure: null }

const kept = createStore<ReadonlyMap<string, Details>>(new Map())
const reading = new Set<string>()

export function detailsOf(id: string): Details {
  const known = kept.get().get(id) ?? NOTHING
  return known.incident === null ? { ...known, incident: findRow(id) ?? null } : known
}

/** What is known of an incident without asking: its details, else its row in the list. */
export function knownIncident(id: string): DeskIncident | null {
  return detailsOf(id).incident
}

function patch(id: string, changes: Partial<Details>): void {
  const next = new Map(kept.get())
  const before = next.get(id) ?? NOTHING
  // Deleted first: the map's order is that of the last use.
  next.delete(id)
  next.set(id, { ...before, ...changes })
  for (const oldest of next.keys()) {
    if (next.size <= MAX_KEPT) break
    next.delete(oldest)
  }
  kept.set(next)
}

/** Remembers a newer form of an incident, as an answer to a decision has it. */
export function noteIncident(incident: DeskIncident): void {
  patch(incident.id, { incident, failure: null })
}

/** Reads history and duplicates of an incident; `again` reads the incident itself anew. */
export async function readDetails(id: string, again = false): Promise<void> {
  if (reading.has(id)) return
  const known = detailsOf(id)
  if (!again && known.incident !== null && known.history !== null && known.duplicates !== null) return
  reading.add(id)
  try {
    const incident = again || known.incident === null ? await readIncident(id) : known.incident
    patch(id, { incident, failure: null })
    const [history, duplicates] = await Promise.all([readHistory(id), readDuplicates(incident)])
    patch(id, { history, duplicates })
  } catch (error) {
    if (error instanceof RequestError) patch(id, { failure: error.message })
    else throw error
  } finally {
    reading.delete(id)
  }
}

async function readDuplicates({ desk }: DeskIncident): Promise<DeskIncident[]> {
  const candidates = desk.possible_duplicates.slice(0, MAX_DUPLICATES)
  const found = await Promise.all(
    candidates.map(({ id }) => readIncident(id).catch((error: unknown) => missing(error))),
  )
  return found.filter((incident) => incident !== null)
}

function missing(error: unknown): null {
  if (error instanceof RequestError && error.status === 404) return null
  throw error
}

/** Keeps the details of the current report and of the next ones at hand. */
export function startDetails(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const readSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(readAhead, SETTLE_MS)
  }
  currentId.subscribe(readSoon)
  readSoon()
  onDeskChange((change, incident) => {
    if (!kept.get().has(change.id)) return
    if (incident !== null)
      noteIncident({ ...incident, desk: { ...detailsOf(change.id).incident?.desk, ...incident.desk } })
    if (change.id === currentId.get()) void readDetails(change.id, true)
    else patch(change.id, { history: null, duplicates: null })
  })
}

async function readAhead(): Promise<void> {
  const id = currentId.get()
  if (id !== null) await readDetails(id)
  for (const next of nextIds(READ_AHEAD)) {
    if (currentId.get() !== id) return
    await readDetails(next)
  }
}

/** The details of an incident, drawn anew only when they change. */
export function useDetails(id: string): Details {
  const [, setSeen] = useState<Details | undefined>(undefined)
  useEffect(() => kept.subscribe((all) => setSeen(all.get(id))), [id])
  return detailsOf(id)
}
