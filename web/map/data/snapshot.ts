import { createStore } from '../../shared/store.ts'
import { ApiError, retryDelay } from '../api-client.ts'
import { initialData, serverNow } from '../initial-data.ts'
import { feedStatus, onFeedEvent } from '../live/feed.ts'
import { arrivals, holdArrivals, keepUnchanged } from './arrivals.ts'
import { currentQuestion } from './current-question.ts'
import { type ListAnswer, loadMorePage, loadTogether, PAGE_ROWS, type StatisticsAnswer } from './load-together.ts'
import { listKeyOf, type Question, statisticsKeyOf } from './question.ts'

/**
 * The incidents and counts of one moment. Both are loaded together and replaced together; an answer
 * belongs to the question whose key it has.
 */
export interface Snapshot {
  readonly list: ListAnswer | null
  readonly statistics: StatisticsAnswer | null
  /** True while an answer to the current question, or to a later moment, is on its way. */
  readonly loading: boolean
  /** Set while the service fails; the next attempt is made at `retryAt`, in server time. */
  readonly failure: { readonly message: string; readonly retryAt: number } | null
  /** The time at which list and counts last were those of the current question, by the server. */
  readonly currentAt: number
}

/** The server's list knows no road and no drawn area. */
const firstQuestion = currentQuestion.get()

export const snapshot = createStore<Snapshot>({
  list: {
    key: listKeyOf({ ...firstQuestion, road: null, polygon: null }),
    seq: initialData.list.meta.seq,
    incidents: initialData.list.data,
    nextCursor: initialData.list.next_cursor,
  },
  statistics: null,
  loading: true,
  failure: null,
  currentAt: serverNow(),
})

/** Whether the service has published nothing at all: no filter and no time would show more. */
export function isArchiveEmpty({ list }: Snapshot): boolean {
  return list?.seq === 0
}

const DEBOUNCE_MS = 200
/** Limits how often a busy feed loads list and counts again. */
const REFRESH_INTERVAL_MS = 3000
const REFRESH_DELAY_MS = 300

let running = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined
let refreshIsScheduled = false
let refreshedAt = 0
let attempt = 0
let wantedRows = PAGE_ROWS

/** Keeps list and counts up to date with the question and the feed; heals after failures. */
export function startSnapshot(): void {
  load(0)
  currentQuestion.subscribe((question, before) => {
    if (keysOf(question) === keysOf(before)) return
    if (listKeyOf(question) !== listKeyOf(before)) wantedRows = PAGE_ROWS
    load(DEBOUNCE_MS)
  })
  onFeedEvent(scheduleRefresh)
  addEventListener('online', retryIfFailed)
  feedStatus.subscribe(({ freshness }, before) => {
    if (freshness === 'live' && before.freshness !== 'live') retryIfFailed()
  })
}

/** Loads at once, for a person who does not want to wait. */
export function retryNow(): void {
  load(0)
}

function retryIfFailed(): void {
  if (snapshot.get().failure !== null) load(0)
}

/** Loads the next page of the list; if anything has happened since, all pages again. */
export async function loadNextPage(): Promise<void> {
  const { list, loading } = snapshot.get()
  if (list === null || list.nextCursor === null) return
  wantedRows = list.incidents.length + PAGE_ROWS
  // Whatever is loading is loaded again with the page that is asked for.
  if (loading) return load(0)
  snapshot.patch({ loading: true })
  const { signal } = running
  const question = currentQuestion.get()
  try {
    const page = await loadMorePage(question, list, signal)
    // Whoever has aborted it loads as many rows as are wanted now.
    if (signal.aborted) return
    if (page === null || snapshot.get().list !== list) load(0)
    else snapshot.patch({ list: page, loading: false })
  } catch (error) {
    if (signal.aborted) return
    // The service has lost a part of the list: it begins again.
    if (error instanceof ApiError && error.status === 410) load(0)
    else fail(error)
  }
}

function load(delayMs: number): void {
  clearTimeout(timer)
  running.abort()
  snapshot.patch({ loading: true })
  timer = setTimeout(() => void loadNow(), delayMs)
}

function scheduleRefresh(): void {
  if (refreshIsScheduled) return
  refreshIsScheduled = true
  const sinceLast = serverNow() - refreshedAt
  const refresh = () => {
    refreshIsScheduled = false
    refreshedAt = serverNow()
    // After a failure the next attempt is scheduled already.
    if (snapshot.get().failure === null) load(0)
  }
  setTimeout(refresh, Math.max(REFRESH_DELAY_MS, REFRESH_INTERVAL_MS - sinceLast))
}

async function loadNow(): Promise<void> {
  running.abort()
  running = new AbortController()
  const { signal } = running
  const question = currentQuestion.get()
  try {
    const answers = await loadTogether(question, wantedRows, signal)
    if (signal.aborted) return
    attempt = 0
    const { list: before } = snapshot.get()
    holdArrivals(before, answers.list)
    const list = keepUnchanged(before, answers.list)
    snapshot.set({ ...answers, list, loading: !answers.together, failure: null, currentAt: serverNow() })
    if (!answers.together) scheduleRefresh()
  } catch (error) {
    if (!signal.aborted) fail(error)
  }
}

function fail(error: unknown): void {
  const delayMs = retryDelay(error, attempt++, Math.random)
  snapshot.patch({ loading: false, failure: { message: (error as Error).message, retryAt: serverNow() + delayMs } })
  clearTimeout(timer)
  timer = setTimeout(() => void loadNow(), delayMs)
}

function keysOf(question: Question): string {
  return `${listKeyOf(question)} ${statisticsKeyOf(question)}`
}

/** The rows that the list shows: without those that wait behind the button. */
export function shownIncidents({ list }: Snapshot): ListAnswer['incidents'] {
  const { waiting } = arrivals.get()
  if (list === null || waiting.size === 0) return list?.incidents ?? []
  return list.incidents.filter(({ id }) => !waiting.has(id))
}
