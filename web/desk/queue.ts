import { messageOf, type Page, RequestError } from '../shared/parts/request.ts'
import { createStore } from '../shared/store.ts'
import { type DeskIncident, listQueue, listWithDuplicates } from './desk-api.ts'
import { personId, serverNow } from './person.ts'
import { compareFor, filterInAddress, matchesFilter, type QueueFilter, queueQuery, withRow } from './queue-filter.ts'

export const queueFilter = createStore<QueueFilter>(filterInAddress(new URLSearchParams(location.search)))

const PAGE_ROWS = 100
/** A refresh reads at most so many pages; rows below them are as old as their last change. */
const MAX_REFRESHED_PAGES = 5
const RETRY_MS = 3000

interface Queue {
  readonly phase: 'loading' | 'ready' | 'failed'
  /** Why the list could not be loaded. */
  readonly message: string
  readonly rows: readonly DeskIncident[]
  /** The beginning of the next page; null after the last. */
  readonly cursor: string | null
}

export const queue = createStore<Queue>({ phase: 'loading', message: '', rows: [], cursor: null })

let loading = new AbortController()
let isLoadingMore = false
let retryTimer: ReturnType<typeof setTimeout> | undefined

/** Loads the list from its beginning; repeats by itself while the service cannot be reached. */
export async function loadQueue(): Promise<void> {
  loading.abort()
  clearTimeout(retryTimer)
  loading = new AbortController()
  const { signal } = loading
  queue.patch({ phase: 'loading', message: '' })
  try {
    await withChangesMeanwhile(async () => {
      const page = await readPage(queueFilter.get(), null, signal)
      queue.set({ phase: 'ready', message: '', rows: page.data, cursor: page.next_cursor })
    })
  } catch (error) {
    if (signal.aborted) return
    queue.patch({ phase: 'failed', message: messageOf(error) })
    if (error instanceof RequestError && error.isPassing) {
      retryTimer = setTimeout(() => void loadQueue(), Math.max(RETRY_MS, error.retryAfterMs))
    }
  }
}

/** Loads the next page, unless one is on its way or the last one is there. */
export async function loadMoreRows(): Promise<void> {
  const { cursor, phase } = queue.get()
  if (isLoadingMore || cursor === null || phase !== 'ready') return
  isLoadingMore = true
  const { signal } = loading
  try {
    await withChangesMeanwhile(async () => addPage(await readPage(queueFilter.get(), cursor, signal)))
  } catch (error) {
    if (signal.aborted) return
    console.warn('The next page of the queue could not be loaded:', messageOf(error))
    if (error instanceof RequestError && error.isPassing) {
      clearTimeout(retryTimer)
      retryTimer = setTimeout(() => void loadMoreRows(), Math.max(RETRY_MS, error.retryAfterMs))
    }
  } finally {
    isLoadingMore = false
  }
}

/** Reads a page of rows, and looks for their possible duplicates behind it. */
async function readPage(filter: QueueFilter, cursor: string | null, signal: AbortSignal): Promise<Page<DeskIncident>> {
  const query = queueQuery(filter, PAGE_ROWS, cursor)
  const page = await listQueue(query, signal)
  if (page.data.length > 0) void addDuplicates(query, signal)
  return page
}

async function addDuplicates(query: URLSearchParams, signal: AbortSignal): Promise<void> {
  try {
    const { data } = await listWithDuplicates(query, signal)
    const found = new Map(data.map((row) => [row.id, row]))
    queue.patch({ rows: queue.get().rows.map((row) => withDuplicatesOf(row, found.get(row.id))) })
  } catch (error) {
    // A report that is opened looks for its own.
    if (!signal.aborted) console.warn('Possible duplicates of the queue could not be read:', messageOf(error))
  }
}

/** Keeps possible duplicates that were found for the same version. */
export function withDuplicatesOf(incident: DeskIncident, known: DeskIncident | null | undefined): DeskIncident {
  if (incident.desk.possible_duplicates !== null || known?.version !== incident.version) return incident
  return { ...incident, desk: { ...incident.desk, possible_duplicates: known.desk.possible_duplicates } }
}

function addPage(page: Page<DeskIncident>): void {
  const { rows } = queue.get()
  const known = new Set(rows.map(({ id }) => id))
  const added = page.data.filter(({ id }) => !known.has(id))
  queue.patch({ rows: [...rows, ...added], cursor: page.next_cursor })
}

/**
 * Reads the loaded pages again: after an outage, or when more changed than can be read one by one.
 */
export async function refreshQueue(): Promise<void> {
  const before = queue.get()
  if (before.phase !== 'ready') return loadQueue()
  return withChangesMeanwhile(() => readLoadedPages(before.rows.length))
}

async function readLoadedPages(loadedRows: number): Promise<void> {
  const { signal } = loading
  const filter = queueFilter.get()
  const fresh: DeskIncident[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_REFRESHED_PAGES; page++) {
    const next: Page<DeskIncident> = await readPage(filter, cursor, signal)
    fresh.push(...next.data)
    cursor = next.next_cursor
    if (cursor === null || fresh.length >= loadedRows) break
  }
  const last = fresh.at(-1)
  const compare = compareFor(filter)
  const known = new Set(fresh.map(({ id }) => id))
  const below =
    cursor === null || last === undefined
      ? []
      : queue.get().rows.filter((row) => !known.has(row.id) && compare(row, last) > 0)
  // More may have been loaded meanwhile: the list goes on behind the last row that is there.
  queue.patch({ rows: [...fresh, ...below], cursor: below.length > 0 ? queue.get().cursor : cursor })
}

/**
 * Puts an incident at its place, unless a newer form is there. One below the loaded pages is left
 * for its own page.
 */
export function putRow(incident: DeskIncident): void {
  const { rows, cursor } = queue.get()
  if ((findRow(incident.id)?.version ?? 0) > incident.version) return
  const compare = compareFor(queueFilter.get())
  const last = rows.at(-1)
  const isBelow = cursor !== null && last !== undefined && compare(incident, last) > 0
  if (isBelow) dropRow(incident.id)
  else queue.patch({ rows: withRow(rows, incident, compare) })
  noteChange(incident.id, () => putRow(incident))
}

/** Whether an incident belongs to the list that is shown. */
export function isInQueue(incident: DeskIncident): boolean {
  return matchesFilter(incident, queueFilter.get(), personId(), serverNow())
}

/** Puts a changed incident at its place, or takes it out of the list. */
export function placeRow(incident: DeskIncident): void {
  if (isInQueue(incident)) putRow(incident)
  else dropRow(incident.id)
}

/** Replaces a row where it stands, if it is loaded. */
export function replaceRow(incident: DeskIncident): void {
  const { rows } = queue.get()
  if (rows.some(({ id }) => id === incident.id))
    queue.patch({ rows: rows.map((row) => (row.id === incident.id ? withDuplicatesOf(incident, row) : row)) })
  noteChange(incident.id, () => replaceRow(incident))
}

export function dropRow(id: string): void {
  const { rows } = queue.get()
  if (rows.some((row) => row.id === id)) queue.patch({ rows: rows.filter((row) => row.id !== id) })
  noteChange(id, () => dropRow(id))
}

export function findRow(id: string): DeskIncident | undefined {
  return queue.get().rows.find((row) => row.id === id)
}

/** Changes since a list was asked for, by incident: its answer may be older than they are. */
type Changes = Map<string, () => void>

const collecting = new Set<Changes>()

/** Remembers how a row was changed, for every list that is being read. */
function noteChange(id: string, repeat: () => void): void {
  for (const changes of collecting) changes.set(id, repeat)
}

/**
 * Reads and shows a list, then repeats what changed meanwhile: a late answer brings no decided
 * report back.
 */
async function withChangesMeanwhile(readAndShow: () => Promise<void>): Promise<void> {
  const changes: Changes = new Map()
  collecting.add(changes)
  try {
    await readAndShow()
  } finally {
    collecting.delete(changes)
  }
  for (const repeat of changes.values()) repeat()
}

/** Incidents whose decision is on its way: they are no longer shown in the list. */
const decided = createStore<ReadonlySet<string>>(new Set())

/** The rows of the list, without those whose decision is on its way. */
export const shownRows = createStore<readonly DeskIncident[]>([])

function update(): void {
  const { rows } = queue.get()
  const hidden = decided.get()
  shownRows.set(hidden.size === 0 ? rows : rows.filter(({ id }) => !hidden.has(id)))
}

queue.subscribe((after, before) => after.rows !== before.rows && update())
decided.subscribe(update)

export function hideRows(ids: readonly string[]): void {
  decided.set(new Set([...decided.get(), ...ids]))
}

export function showRows(ids: readonly string[]): void {
  const left = new Set(decided.get())
  for (const id of ids) left.delete(id)
  decided.set(left)
}

/** The largest number of incidents that one bulk decision takes. */
const MAX_SELECTED = 200

/** The ids of the rows that are chosen for a bulk decision. */
export const selection = createStore<ReadonlySet<string>>(new Set())

export function toggleSelected(id: string): void {
  const next = new Set(selection.get())
  if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id)
  selection.set(next)
}

/** Chooses all of these rows, or none if all are chosen already. */
export function toggleAll(ids: readonly string[]): void {
  const wanted = ids.slice(0, MAX_SELECTED)
  const selected = selection.get()
  selection.set(wanted.every((id) => selected.has(id)) ? new Set() : new Set(wanted))
}

export function clearSelection(): void {
  selection.set(new Set())
}

export function deselect(ids: readonly string[]): void {
  const left = new Set(selection.get())
  for (const id of ids) left.delete(id)
  selection.set(left)
}
