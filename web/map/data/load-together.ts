import type { Incident } from '../../../src/domain/incident.ts'
import { queryApi } from '../api.ts'
import { type IncidentPage, noteSeq } from '../initial-data.ts'
import { noteNewestListed } from '../live/feed.ts'
import { type Bar, barsOf } from './figures.ts'
import { listKeyOf, listQuery, type Question, statisticsKeyOf, statisticsQuery } from './question.ts'
import type { Statistics } from './statistics.ts'

export const PAGE_ROWS = 50
/** The most that the API returns at once. */
const MAX_PAGE_ROWS = 1000
/** A busy feed may pass between two answers each time; this bounds the attempts. */
const MAX_ROUNDS = 5

/** The list's first rows at the event `seq`. */
export interface ListAnswer {
  readonly key: string
  readonly seq: number
  readonly incidents: readonly Incident[]
  readonly nextCursor: string | null
}

/** Counts by bar and severity at the event `seq`. */
export interface StatisticsAnswer {
  readonly key: string
  readonly question: Question
  readonly seq: number
  /** Unlike the number, it is never that of another event. */
  readonly position: string
  readonly bars: readonly Bar[]
}

interface Answers {
  readonly list: ListAnswer
  readonly statistics: StatisticsAnswer
  /** False if the feed was faster than the requests: the two differ by the last events. */
  readonly together: boolean
}

/** Asks for list and counts, and again for the older one until both are of the same moment. */
export async function loadTogether(question: Question, rows: number, signal: AbortSignal): Promise<Answers> {
  let [list, statistics] = await Promise.all([loadList(question, rows, signal), loadStatistics(question, signal)])
  for (let round = 1; round < MAX_ROUNDS && list.seq !== statistics.seq; round++) {
    if (list.seq < statistics.seq) list = await loadList(question, rows, signal)
    else statistics = await loadStatistics(question, signal)
  }
  return { list, statistics, together: list.seq === statistics.seq }
}

async function loadStatistics(question: Question, signal: AbortSignal): Promise<StatisticsAnswer> {
  const query = statisticsQuery(question)
  const { data, meta } = await queryApi<Statistics>('/v1/stats', query, question, signal)
  noteSeq(meta.seq)
  const { seq, position } = meta
  return { key: statisticsKeyOf(question), question, seq, position, bars: barsOf(data, question.period) }
}

async function loadList(question: Question, rows: number, signal: AbortSignal): Promise<ListAnswer> {
  const key = listKeyOf(question)
  const first = await loadPage(question, null, rows, signal)
  let list: ListAnswer = { key, seq: first.meta.seq, incidents: first.data, nextCursor: first.next_cursor }
  while (list.nextCursor !== null && list.incidents.length < rows) {
    const page = await loadPage(question, list.nextCursor, rows - list.incidents.length, signal)
    // Pages of different moments are no list; -1 makes it the older answer, which is asked again.
    const seq = page.meta.seq === list.seq ? list.seq : -1
    list = { ...list, seq, incidents: [...list.incidents, ...page.data], nextCursor: page.next_cursor }
  }
  return list
}

/**
 * Returns the list with one more page; null if something has happened since the list was loaded.
 */
export async function loadMorePage(
  question: Question,
  list: ListAnswer,
  signal: AbortSignal,
): Promise<ListAnswer | null> {
  const page = await loadPage(question, list.nextCursor, PAGE_ROWS, signal)
  if (page.meta.seq !== list.seq) return null
  return { ...list, incidents: [...list.incidents, ...page.data], nextCursor: page.next_cursor }
}

async function loadPage(
  question: Question,
  cursor: string | null,
  rows: number,
  signal: AbortSignal,
): Promise<IncidentPage> {
  const query = listQuery(question)
  if (rows !== PAGE_ROWS) query.set('limit', String(Math.min(rows, MAX_PAGE_ROWS)))
  if (cursor !== null) query.set('cursor', cursor)
  const page = await queryApi<IncidentPage>('/v1/incidents', query, question, signal)
  noteSeq(page.meta.seq)
  noteNewestListed(page.meta.newest_published_at)
  return page
}
