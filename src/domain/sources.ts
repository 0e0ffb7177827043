import type { Incident } from './incident.ts'
import type { ModerationRecord } from './moderation.ts'
import type { MatchReason } from './near-duplicates.ts'

export const SOURCE_KINDS = ['feed'] as const
type SourceKind = (typeof SOURCE_KINDS)[number]

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

/** The result of the last polls. Written by the node that polls. */
export interface PollState {
  /** The validators of the last response whose items were all saved. */
  readonly etag: string | null
  readonly lastModified: string | null
  /** The last attempt, and the last one that succeeded. */
  readonly polledAt: number | null
  readonly succeededAt: number | null
  /** The last time that the whole document was read: its items were all seen then. */
  readonly readAt: number | null
  /** The last poll with an item that was not known. */
  readonly newItemAt: number | null
  /** Failed polls in a row. */
  readonly failures: number
  readonly failingSince: number | null
  readonly problem: PollProblem | null
  /** The target of a permanent redirect. */
  readonly movedTo: string | null
}

interface SourceCounts {
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
  readAt: null,
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

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Each failure doubles the interval, up to a day. */
const MAX_DOUBLINGS = 10
/** Spreads the polls of sources that were added together. */
const JITTER = 0.1
/** A feed that says it is gone is asked once a day. */
const SLOW_PROBLEMS: readonly PollProblemCode[] = ['gone']
/** Items are left over: the feed is read again soon. */
const LEFT_OVER_MS = MINUTE_MS

export interface PollResult {
  /** Failed polls in a row, this one included; 0 after a success. */
  readonly failures: number
  readonly problem: PollProblemCode | null
  /** Milliseconds that the server asked to wait; null if it did not. */
  readonly retryAfterMs: number | null
  readonly hasLeftOver: boolean
}

/**
 * Returns the time of the next poll: at the interval, later after failures, never sooner than the
 * server asked.
 */
export function nextPollAt(result: PollResult, everyMinutes: number, now: number, random: () => number): number {
  const { failures, problem, retryAfterMs, hasLeftOver } = result
  const spread = 1 - JITTER + 2 * JITTER * random()
  if (failures === 0) return Math.round(now + (hasLeftOver ? LEFT_OVER_MS : everyMinutes * MINUTE_MS * spread))
  const doubled = everyMinutes * MINUTE_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS)
  const delay = problem !== null && SLOW_PROBLEMS.includes(problem) ? DAY_MS : Math.min(DAY_MS, doubled)
  const asked = Math.min(DAY_MS, retryAfterMs ?? 0)
  return Math.round(now + Math.max(delay * spread, asked))
}

/** Why a poll failed, by code: what the operator of the service can do about it. */
export const POLL_PROBLEMS = {
  unknown_host: 'The host name does not exist or cannot be resolved.',
  refused_address: 'The address leads into a private network; such feeds are not fetched.',
  connection_failed: 'No connection could be made, or it broke.',
  bad_certificate: 'The TLS certificate is not valid.',
  timeout: 'The server did not send the whole feed in time.',
  too_many_redirects: 'The server redirects too often, or in a circle.',
  rate_limited: 'The server asked for fewer requests; the next poll waits as long as it asked.',
  gone: 'The server says that the feed is gone for good.',
  not_found: 'There is no feed at this address.',
  forbidden: 'The server refuses to serve the feed to this service.',
  server_error: 'The server answered with an error of its own.',
  unexpected_answer: 'The server answered with a status that is not a feed.',
  too_large: 'The feed is larger than the limit, as sent or decompressed.',
  bad_encoding: 'The body cannot be decompressed or decoded.',
  not_a_feed: 'The answer is not RSS, Atom, RDF or JSON Feed.',
  unreadable: 'Reading the feed took too long or too much memory.',
  items_failed: 'Some items could not be saved; they are tried again.',
} as const satisfies Record<string, string>

export type PollProblemCode = keyof typeof POLL_PROBLEMS
export const POLL_PROBLEM_CODES = Object.keys(POLL_PROBLEMS) as readonly PollProblemCode[]

export interface PollProblem {
  readonly code: PollProblemCode
  /** One sentence with what was seen, such as the status. */
  readonly detail: string
}

/** Statuses with a meaning of their own; others follow from their class. */
const STATUS_PROBLEMS: Readonly<Record<number, PollProblemCode>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  410: 'gone',
  429: 'rate_limited',
  451: 'forbidden',
}

export function problemOfStatus(status: number): PollProblem {
  const code = STATUS_PROBLEMS[status] ?? (status >= 500 ? 'server_error' : 'unexpected_answer')
  return { code, detail: `The server answered ${status}. ${POLL_PROBLEMS[code]}` }
}

/** The outcome of an item. */
const ITEM_STATES = {
  queued: 'It became one report or several.',
  proposed: 'It was proposed as a further source of incidents that are known.',
  duplicate: 'It repeats an item or a source that is known.',
  no_incident: 'It reports no incident.',
  no_place: 'It reports an incident, but not where.',
  too_old: 'It was published too long ago.',
} as const satisfies Record<string, string>

export type ItemState = keyof typeof ITEM_STATES
export const ITEM_STATE_NAMES = Object.keys(ITEM_STATES) as readonly ItemState[]

/** An item of a feed, as plain text. */
export interface FeedItem {
  /** The GUID, else the address, else a digest of the text: what a feed repeats for one item. */
  readonly guid: string
  readonly url: string | null
  readonly title: string
  readonly text: string
  /** Milliseconds; null if the feed does not say or it cannot be read. */
  readonly publishedAt: number | null
}

/** An item that was dealt with. Times are milliseconds. */
export interface NewsItem {
  readonly id: string
  readonly sourceId: string
  readonly state: ItemState
  readonly title: string
  readonly url: string | null
  readonly publishedAt: number | null
  readonly firstSeenAt: number
  /** The incidents that it was queued as or proposed for. */
  readonly incidentIds: readonly string[]
  /** The item that it repeats. */
  readonly duplicateOf: string | null
}

export const PROPOSAL_STATES = ['open', 'accepted', 'dismissed'] as const
type ProposalState = (typeof PROPOSAL_STATES)[number]

/** A story that seems to tell of an incident that is known: an editor decides. */
export interface ProposedSource {
  readonly id: string
  readonly incidentId: string
  readonly itemId: string
  readonly state: ProposalState
  readonly proposedAt: number
  readonly decidedAt: number | null
  /** The probability that both are one event, and why. */
  readonly score: number
  readonly reasons: readonly MatchReason[]
  /** The report that the story would be by itself; its only source is the one proposed. */
  readonly report: ProposedReport
}

export interface ProposedReport {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** An editor's decision on a proposed source; `open` undoes that it was accepted. */
export interface ProposalDecision {
  readonly id: string
  readonly state: ProposalState
}

/** The state that a proposed source must have before it is decided on. */
export const STATE_BEFORE: Readonly<Record<ProposalState, ProposalState>> = {
  open: 'accepted',
  accepted: 'open',
  dismissed: 'open',
}

/**
 * A story that reports an incident without a place that is certain: an editor files it by hand.
 * Its id is that of the item. Times are milliseconds.
 */
export interface UnplacedStory {
  readonly id: string
  readonly sourceId: string
  readonly publisher: string
  readonly title: string
  readonly url: string | null
  /** With the title. */
  readonly text: string
  readonly publishedAt: number | null
  readonly foundAt: number
  /** The incidents that it was queued as or proposed for, because it told of that with a place. */
  readonly incidentIds: readonly string[]
}

/** The stored part of such a story beside its item. */
export type UnplacedText = Pick<UnplacedStory, 'publisher' | 'text'>
