import { RequestError } from '../shared/parts/request.ts'
import { createStore } from '../shared/store.ts'
import { type DeskChange, type DeskCounts, type DeskIncident, readCounts, readIncident } from './desk-api.ts'
import { dropRow, findRow, isInQueue, placeRow, refreshQueue, replaceRow } from './queue.ts'

const COLLECT_MS = 150
/** More changes than this at once: the list is read again as a whole. */
const MAX_READ_ONE_BY_ONE = 20
/** The stream sends a heartbeat every 15 seconds; two may be late. */
const SILENCE_MS = 40_000
const RETRY_MS = 3000
const [FIRST_WAIT_MS, MAX_WAIT_MS] = [500, 10_000]

/** Whether changes arrive as they happen. */
export const liveState = createStore<'connecting' | 'live' | 'lost'>('connecting')

type ChangeListener = (change: DeskChange, incident: DeskIncident | null) => void
const listeners = new Set<ChangeListener>()

/** Calls the listener for each changed incident, with its new content if it has been read. */
export function onDeskChange(listener: ChangeListener): void {
  listeners.add(listener)
}

let source: EventSource | null = null
let silence: ReturnType<typeof setTimeout> | undefined
let lastRevision: string | null = null
let failures = 0
const waiting = new Map<string, DeskChange>()
/**
 * The last change of each incident that is being read: an answer to an earlier one is too old to be
 * shown.
 */
const latest = new Map<string, DeskChange>()

/** Follows the desk until the page is closed; reconnects by itself. */
export function startLive(): void {
  void connect()
  addEventListener('online', reconnectNow)
}

async function connect(): Promise<void> {
  try {
    // The position first: what changes between the list and the stream is then sent again.
    if (lastRevision === null) {
      const counts = await readCounts()
      deskCounts.set(counts)
      lastRevision = String(counts.revision)
    }
  } catch {
    return reconnectLater()
  }
  source?.close()
  source = new EventSource(`/v1/desk/stream?last_event_id=${lastRevision}`)
  watchSilence()
  source.addEventListener('open', () => {
    const wasLost = failures > 0
    failures = 0
    liveState.set('live')
    watchSilence()
    if (wasLost) void heal()
  })
  source.addEventListener('heartbeat', watchSilence)
  source.addEventListener('desk.changed', (event) => {
    watchSilence()
    lastRevision = event.lastEventId || lastRevision
    collect(JSON.parse(event.data) as DeskChange)
  })
  // The browser's own reconnecting gives up after an answer such as 503.
  source.addEventListener('error', reconnectLater)
}

function watchSilence(): void {
  clearTimeout(silence)
  silence = setTimeout(reconnectLater, SILENCE_MS)
}

let reconnectTimer: ReturnType<typeof setTimeout> | undefined

function reconnectLater(): void {
  source?.close()
  clearTimeout(silence)
  clearTimeout(reconnectTimer)
  liveState.set('lost')
  const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++) * (0.7 + 0.3 * Math.random())
  reconnectTimer = setTimeout(() => void connect(), wait)
}

function reconnectNow(): void {
  if (liveState.get() === 'live') return
  clearTimeout(reconnectTimer)
  void connect()
}

/** After an outage the position may belong to another time: everything shown is read again. */
async function heal(): Promise<void> {
  refreshCounts()
  await refreshQueue().catch((error: unknown) => console.warn('The queue could not be read again:', error))
}

function collect(change: DeskChange): void {
  if (waiting.size === 0) {
    setTimeout(() => {
      const changes = [...waiting.values()]
      waiting.clear()
      void apply(changes)
    }, COLLECT_MS)
  }
  waiting.set(change.id, change)
}

async function apply(changes: readonly DeskChange[]): Promise<void> {
  refreshCounts()
  if (changes.length > MAX_READ_ONE_BY_ONE) {
    await heal()
    for (const change of changes) publish(change, findRow(change.id) ?? null)
    return
  }
  await Promise.all(changes.map(applyOne))
}

async function applyOne(change: DeskChange): Promise<void> {
  latest.set(change.id, change)
  try {
    await readAndShow(change)
  } finally {
    if (latest.get(change.id) === change) latest.delete(change.id)
  }
}

async function readAndShow(change: DeskChange): Promise<void> {
  const row = findRow(change.id)
  if (row !== undefined && row.version === change.version && row.status === change.status) {
    const claimed = { ...row, desk: { ...row.desk, claim: change.claim } }
    if (isInQueue(claimed)) replaceRow(claimed)
    else dropRow(change.id)
    publish(change, claimed)
    return
  }
  try {
    const incident = await readIncident(change.id)
    if (latest.get(change.id) !== change) return
    placeRow(incident)
    publish(change, incident)
  } catch (error) {
    if (latest.get(change.id) !== change) return
    if (!(error instanceof RequestError)) throw error
    if (error.status === 404) dropRow(change.id)
    else if (error.isPassing) setTimeout(() => void heal(), Math.max(RETRY_MS, error.retryAfterMs))
    publish(change, null)
  }
}

function publish(change: DeskChange, incident: DeskIncident | null): void {
  for (const listener of listeners) listener(change, incident)
}

const WAIT_MS = 1000

export const deskCounts = createStore<DeskCounts | null>(null)

let isWaiting = false

/** Reads the counts soon: several changes at once cost one request. */
export function refreshCounts(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(async () => {
    isWaiting = false
    try {
      deskCounts.set(await readCounts())
    } catch (error) {
      console.warn('The counts could not be read:', error)
    }
  }, WAIT_MS)
}
