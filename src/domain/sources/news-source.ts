import type { PollProblem } from './poll-problem.ts'

export const SOURCE_KINDS = ['feed'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** A source of news that is polled. Times are milliseconds. */
export interface NewsSource {
  readonly id: string
  readonly kind: SourceKind
  readonly url: string
  /** Named as the publisher of every report from this source. */
  readonly publisher: string
  readonly everyMinutes: number
  readonly paused: boolean
  readonly createdAt: number
  readonly dueAt: number
  readonly polling: PollState
  readonly counts: SourceCounts
}

/** What the last polls found. Written by the node that polls. */
export interface PollState {
  /** The validators of the last response whose items were all saved. */
  readonly etag: string | null
  readonly lastModified: string | null
  /** The last attempt, and the last one that succeeded. */
  readonly polledAt: number | null
  readonly succeededAt: number | null
  /** The last poll with an item that was not known. */
  readonly newItemAt: number | null
  /** Failed polls in a row. */
  readonly failures: number
  readonly failingSince: number | null
  readonly problem: PollProblem | null
  /** Where a permanent redirect leads. */
  readonly movedTo: string | null
}

export interface SourceCounts {
  readonly items: number
  /** Reports that were queued. */
  readonly queued: number
  /** Further sources that were proposed. */
  readonly proposed: number
  /** Reports of this source that are public. */
  readonly confirmed: number
}

export const NEVER_POLLED: PollState = {
  etag: null,
  lastModified: null,
  polledAt: null,
  succeededAt: null,
  newItemAt: null,
  failures: 0,
  failingSince: null,
  problem: null,
  movedTo: null,
}

export const DEFAULT_EVERY_MINUTES = 15
export const MAX_EVERY_MINUTES = 1440
/** All of them are listed at once. */
export const MAX_SOURCES = 500

export const SOURCE_STATUSES = ['new', 'healthy', 'failing', 'paused'] as const
export type SourceStatus = (typeof SOURCE_STATUSES)[number]

export function statusOf({ paused, polling }: Pick<NewsSource, 'paused' | 'polling'>): SourceStatus {
  if (paused) return 'paused'
  if (polling.failures > 0) return 'failing'
  return polling.succeededAt === null ? 'new' : 'healthy'
}
