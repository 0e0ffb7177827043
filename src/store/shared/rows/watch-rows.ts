import type { ChannelKind } from '../../../domain/channel.ts'
import type { WatchSchedule } from '../../../domain/schedule.ts'
import { hostOf, type Watch, type WatchEvent, type WatchSecret, type WatchStatus } from '../../../domain/watch.ts'
import type { WatchHeader } from '../../../domain/watch-headers.ts'
import type { WatchChange } from '../../interface/watches.ts'

export interface WatchRow {
  id: string
  account_id: string
  name: string
  url: string
  description: string | null
  events: string
  status: string
  disabled_reason: string | null
  /** JSON list. */
  secrets: string
  /** JSON list; null if there are none. */
  headers: string | null
  /** Null for webhooks. */
  channel: string | null
  /** JSON; null if there is none. */
  schedule: string | null
  created_at: number
  updated_at: number
  created_seq: number
  canonical_filter: string
  filter: string
  sequence: number
  failing_since: number | null
}

export function watchOf(row: WatchRow): Watch {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    channel: channelOf(row.channel),
    url: row.url,
    description: row.description,
    filter: { given: row.filter, canonical: row.canonical_filter },
    events: JSON.parse(row.events) as WatchEvent[],
    status: row.status as WatchStatus,
    disabledReason: row.disabled_reason,
    secrets: JSON.parse(row.secrets) as WatchSecret[],
    headers: headersOf(row.headers),
    schedule: scheduleOf(row.schedule),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdSeq: row.created_seq,
    sequence: row.sequence,
    failingSince: row.failing_since,
  }
}

/** In the order of the table's columns. */
export function watchValues(watch: Watch, revision: number) {
  return [
    watch.id,
    watch.accountId,
    watch.name,
    watch.url,
    hostOf(watch),
    watch.description,
    JSON.stringify(watch.events),
    watch.status,
    watch.disabledReason,
    JSON.stringify(watch.secrets),
    watch.createdAt,
    watch.updatedAt,
    watch.createdSeq,
    revision,
    watch.filter.canonical,
    watch.filter.given,
    headersText(watch.headers),
    channelText(watch.channel),
    watch.schedule === null ? null : JSON.stringify(watch.schedule),
  ] as const
}

export function channelOf(text: string | null): ChannelKind {
  return (text ?? 'webhook') as ChannelKind
}

function channelText(channel: ChannelKind): string | null {
  return channel === 'webhook' ? null : channel
}

export function scheduleOf(text: string | null): WatchSchedule | null {
  return text === null ? null : (JSON.parse(text) as WatchSchedule)
}

const NO_HEADERS: readonly WatchHeader[] = []

/** Most watches have none, and each delivery asks: that costs nothing. */
export function headersOf(text: string | null): readonly WatchHeader[] {
  return text === null ? NO_HEADERS : (JSON.parse(text) as WatchHeader[])
}

export function headersText(headers: readonly WatchHeader[]): string | null {
  return headers.length === 0 ? null : JSON.stringify(headers)
}

export interface WatchChangeRow {
  revision: number
  id: string
  canonical_filter: string | null
  events: string | null
  status: string | null
  created_seq: number | null
  host: string | null
  account_id: string | null
  schedule: string | null
  receiver: string | null
  filter_seq: number | null
}

/** For queries that have `watches`. All alerts without an account have the same URL. */
export const RECEIVER = `CASE WHEN watches.channel IS NOT NULL THEN
  coalesce((SELECT recipient_hash FROM alerts WHERE alerts.watch_id = watches.id), watches.url) END AS receiver`

export function watchChangeOf({ revision, id, ...row }: WatchChangeRow): WatchChange {
  if (row.canonical_filter === null) return { revision, id, watch: null }
  const watch = {
    canonicalFilter: row.canonical_filter,
    events: JSON.parse(row.events!) as WatchEvent[],
    status: row.status as WatchStatus,
    createdSeq: row.created_seq!,
    host: row.host!,
    accountId: row.account_id!,
    schedule: row.schedule,
    receiver: row.receiver,
    filterSeq: row.filter_seq!,
  }
  return { revision, id, watch }
}
