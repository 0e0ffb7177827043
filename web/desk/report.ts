import { useEffect, useReducer, useRef } from 'preact/hooks'
import { RequestError } from '../shared/parts/request.ts'
import { createStore } from '../shared/store.ts'
import { type DeskIncident, type PossibleDuplicate, readHistory, readIncident, type Step } from './desk-api.ts'
import { onDeskChange } from './live.ts'
import { findRow, queue, shownRows, withDuplicatesOf } from './queue.ts'

/** The incident that the middle column shows. */
export const currentId = createStore<string | null>(new URLSearchParams(location.search).get('report'))

/** The last place of the current row: a colleague may have decided on it meanwhile. */
let lastIndex = 0

shownRows.subscribe((rows) => {
  const index = rows.findIndex(({ id }) => id === currentId.get())
  if (index >= 0) lastIndex = index
  else if (currentId.get() === null && rows.length > 0) openReport(rows[0]!.id)
})

export function openReport(id: string | null): void {
  const index = shownRows.get().findIndex((row) => row.id === id)
  if (index >= 0) lastIndex = index
  currentId.set(id)
}

/** Moves by rows of the list; from a row that has left it, to the one that took its place. */
export function moveBy(step: 1 | -1): void {
  const rows = shownRows.get()
  const index = rows.findIndex(({ id }) => id === currentId.get())
  const target = index >= 0 ? index + step : step === 1 ? lastIndex : lastIndex - 1
  const row = rows[Math.max(0, Math.min(rows.length - 1, target))]
  if (row !== undefined) openReport(row.id)
}

/** Opens the row that takes the place of these once they leave the list; null if none is left. */
export function leaveRows(ids: readonly string[]): void {
  const current = currentId.get()
  if (current === null || !ids.includes(current)) return
  const rows = shownRows.get()
  const index = rows.findIndex(({ id }) => id === current)
  const isLeft = ({ id }: { id: string }) => !ids.includes(id)
  const next = rows.slice(index + 1).find(isLeft) ?? rows.slice(0, Math.max(0, index)).findLast(isLeft)
  openReport(next?.id ?? null)
}

/** The next rows after the current one, to be read ahead. */
function nextIds(count: number): string[] {
  const rows = shownRows.get()
  const index = rows.findIndex(({ id }) => id === currentId.get())
  return rows.slice(index + 1, index + 1 + count).map(({ id }) => id)
}

interface Details {
  readonly incident: DeskIncident | null
  /** Null until it was read. */
  readonly history: readonly Step[] | null
  /** Why it could not be read. */
  readonly failure: RequestError | null
}

/** Reports, and the possible duplicates of those that were opened. */
const MAX_KEPT = 200
const READ_AHEAD = 2
const MAX_DUPLICATES = 4
/** Leafing through the list quickly reads no report on the way. */
const SETTLE_MS = 60
const RETRY_MS = 3000

const NOTHING: Details = { incident: null, history: null, failure: null }

const kept = createStore<ReadonlyMap<string, Details>>(new Map())

/** A read under way, and the one that follows it because something changed meanwhile. */
interface Reading {
  readonly now: Promise<void>
  next: Promise<void> | null
}
const reading = new Map<string, Reading>()

export function detailsOf(id: string): Details {
  const known = kept.get().get(id) ?? NOTHING
  const row = findRow(id)
  const isRowNewer = row !== undefined && (known.incident === null || known.incident.version < row.version)
  return isRowNewer ? { ...known, incident: row } : known
}

/** An incident as far as it is known without asking: its details, else its row in the list. */
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
  patch(incident.id, { incident: withDuplicatesOf(incident, knownIncident(incident.id)), failure: null })
}

/**
 * Reads an incident, its history and its possible duplicates; `again` also reads anew what is
 * known.
 */
export function readDetails(id: string, again = false): Promise<void> {
  const underWay = reading.get(id)
  if (underWay === undefined) {
    const now = readParts(id, again).finally(() => reading.delete(id))
    reading.set(id, { now, next: null })
    return now
  }
  if (!again) return underWay.now
  underWay.next ??= underWay.now.then(() => readDetails(id, true))
  return underWay.next
}

async function readParts(id: string, again: boolean): Promise<void> {
  const known = detailsOf(id)
  try {
    const isWhole = known.incident !== null && known.incident.desk.possible_duplicates !== null
    const [incident] = await Promise.all([
      again || !isWhole ? readIncident(id) : known.incident!,
      again || known.history === null ? readHistory(id).then((history) => patch(id, { history })) : null,
    ])
    patch(id, { incident, failure: null })
    const duplicates = incident.desk.possible_duplicates ?? []
    await Promise.all(duplicates.slice(0, MAX_DUPLICATES).map(readDuplicate))
  } catch (error) {
    if (error instanceof RequestError) patch(id, { failure: error })
    else throw error
  }
}

async function readDuplicate({ id }: { id: string }): Promise<void> {
  if (knownIncident(id) !== null) return
  try {
    noteIncident(await readIncident(id))
  } catch (error) {
    // It was deleted meanwhile: the comparison is left out.
    if (!(error instanceof RequestError) || error.status !== 404) throw error
  }
}

/** Keeps the details of the current report and of the next ones at hand. */
export function startDetails(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const readAfter = (wait: number) => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const failure = await readAhead()
      if (failure?.isPassing) readAfter(Math.max(RETRY_MS, failure.retryAfterMs))
    }, wait)
  }
  currentId.subscribe(() => readAfter(SETTLE_MS))
  readAfter(SETTLE_MS)
  onDeskChange((change, incident) => {
    if (!kept.get().has(change.id)) return
    if (incident !== null)
      noteIncident({ ...incident, desk: { ...detailsOf(change.id).incident?.desk, ...incident.desk } })
    if (change.id === currentId.get()) void readDetails(change.id, true)
    else patch(change.id, { history: null })
  })
}

/**
 * Returns why the current report could not be read; null also if another has become the current
 * one.
 */
async function readAhead(): Promise<RequestError | null> {
  const id = currentId.get()
  if (id !== null) await readDetails(id)
  for (const next of nextIds(READ_AHEAD)) {
    if (currentId.get() !== id) return null
    await readDetails(next)
  }
  return id === null || currentId.get() !== id ? null : detailsOf(id).failure
}

/** The details of an incident, drawn anew only when they change. */
export function useDetails(id: string): Details {
  const details = detailsOf(id)
  const drawn = useRef(details)
  drawn.current = details
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0)
  useEffect(() => {
    const look = () => {
      if (!isSame(drawn.current, detailsOf(id))) redraw()
    }
    // They may have changed between the drawing and this effect.
    look()
    const stops = [kept.subscribe(look), queue.subscribe(look)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [id])
  return details
}

function isSame(one: Details, other: Details): boolean {
  return one.incident === other.incident && one.history === other.history && one.failure === other.failure
}

/** The candidate that was chosen for a merge; null: the likeliest. */
export const mergeTarget = createStore<string | null>(null)

/**
 * The possible duplicates that can be merged with: some may have been rejected since they were
 * found.
 */
export function mergeCandidates({ desk }: DeskIncident): PossibleDuplicate[] {
  return (desk.possible_duplicates ?? []).filter(({ id, status: found }) => {
    const status = knownIncident(id)?.status ?? found
    return status === 'reported' || status === 'confirmed'
  })
}
