import { ACCOUNT_BLOCKED_REASON } from '../../domain/accounts.ts'
import type { WatchSchedule } from '../../domain/schedule.ts'
import {
  applyWatchPatch,
  type ChannelKind,
  clearsFailures,
  hostOf,
  MAX_SECRETS,
  resumes,
  type Watch,
  type WatchEvent,
  type WatchSecret,
  type WatchStatus,
} from '../../domain/watch.ts'
import { headersLeavingOrigin, unknownHeaders, type WatchHeader } from '../../domain/watch-headers.ts'
import type { ResumedWatch, StoredSecrets, WatchChange, Watches } from '../interface/watches.ts'
import { amongRows, eachRow, GREATEST, listed, plain, shared, text } from './dialect.ts'
import { isBlocked, lockedLogHead, lockWatchHead, nextWatchRevision, requireOpen } from './heads.ts'
import { begin, first, type QueriesOf, type Query, rows, run, sql } from './query.ts'
import { filterWithSaved, linkSaved, noteChangedFilters } from './watch-filters.ts'

const SECRETS = eachRow('next', {
  id: 'text',
  text: 'text',
  secrets: 'text',
  headers_before: 'text',
  headers: 'text',
})

export const watches = {
  *add(watch, max) {
    yield* begin()
    const { seq } = yield* lockedLogHead()
    yield* lockWatchHead()
    yield* requireOpen(watch.accountId)
    const account = yield* first<{ held: number; taken: number }>(
      sql`SELECT count(*) AS held, count(*) FILTER (WHERE name = ${watch.name}) AS taken
          FROM watches WHERE account_id = ${watch.accountId}`,
    )
    if (account!.taken > 0) return 'name_taken'
    if (account!.held >= max) return 'too_many'
    const filter = yield* filterWithSaved(watch, watch.filter)
    if (typeof filter === 'string') return filter
    const added = yield* insertWatch({ ...watch, filter, createdSeq: seq, sequence: 0, failingSince: null })
    yield* linkSaved(added.id, filter)
    return added
  },

  find: findWatch,

  *list(accountId, limit, before) {
    const found = yield* rows<WatchRow>(
      sql`SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
          FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
          WHERE watches.account_id = ${accountId} AND (${text(before)} IS NULL OR watches.id < ${before})
          ORDER BY watches.id DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map(watchOf)
  },

  *ids(accountId, limit) {
    const found = yield* rows<{ id: string }>(
      sql`SELECT id FROM watches WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${plain(limit)}`,
    )
    return found.map(({ id }) => id)
  },

  *change(accountId, id, patch, now) {
    yield* begin()
    yield* lockWatchHead()
    const watch = yield* findWatch(accountId, id)
    if (watch === null) return null
    const filter = yield* filterWithSaved(watch, patch.filter ?? watch.filter)
    if (typeof filter === 'string') return filter
    const changed = yield* heldIfBlocked(applyWatchPatch(watch, { ...patch, filter }, now))
    const namesakes = yield* rows(
      sql`SELECT 1 FROM watches WHERE account_id = ${accountId} AND name = ${changed.name} AND id <> ${id}`,
    )
    if (namesakes.length > 0) return 'name_taken'
    if (unknownHeaders(watch.headers, patch.headers ?? []).length > 0) return 'unknown_header'
    if (headersLeavingOrigin(watch, patch).length > 0) return 'headers_leave_origin'
    if (changed.secrets.length > MAX_SECRETS) return 'too_many_secrets'
    yield* updateWatch(changed)
    if (changed.filter.canonical !== watch.filter.canonical) yield* noteChangedFilters([id])
    if (patch.filter !== undefined) yield* linkSaved(id, filter)
    if (clearsFailures(watch, changed))
      yield* run(
        sql`UPDATE watch_progress SET failing_since = NULL, failures = NULL, warnings = 0 WHERE watch_id = ${id}`,
      )
    if (resumes(watch, changed)) yield* run(sql`UPDATE watch_progress SET resumed_at = ${now} WHERE watch_id = ${id}`)
    return changed
  },

  *disable(accountId, id, { url, reason }, now) {
    yield* begin()
    yield* lockWatchHead()
    const watch = yield* findWatch(accountId, id)
    if (watch?.status !== 'active' || watch.url !== url) return false
    yield* updateWatch(applyWatchPatch(watch, { status: 'disabled', disabledReason: reason }, now))
    return true
  },

  *countWarning(id, number) {
    const counted = yield* run(
      sql`UPDATE watch_progress SET warnings = ${number} WHERE watch_id = ${id} AND warnings < ${number}`,
    )
    return counted === 1
  },

  resuming: (before, limit) =>
    rows<ResumedWatch>(
      sql`SELECT watches.id, watches.account_id AS "accountId", watch_progress.resumed_at AS "resumedAt"
          FROM watch_progress JOIN watches ON watches.id = watch_progress.watch_id
          WHERE watch_progress.resumed_at < ${before} AND watches.status = 'active'
          ORDER BY watch_progress.resumed_at
          LIMIT ${plain(limit)}`,
    ),

  *finishResuming({ id, resumedAt }) {
    yield* run(sql`UPDATE watch_progress SET resumed_at = NULL WHERE watch_id = ${id} AND resumed_at = ${resumedAt}`)
  },

  *remove(accountId, id) {
    yield* begin()
    yield* lockWatchHead()
    if ((yield* run(sql`DELETE FROM watches WHERE account_id = ${accountId} AND id = ${id}`)) === 0) return false
    const revision = yield* nextWatchRevision()
    yield* run(sql`INSERT INTO removed_watches (id, revision, emptied) VALUES (${id}, ${revision}, false)`)
    return true
  },

  *changedAfter(revision, limit) {
    // One statement, so that nothing is pruned in between: a first row without id is the mark.
    const found = yield* rows<WatchChangeRow | { readonly revision: number; readonly id: null }>(
      sql`SELECT * FROM (
            SELECT pruned_revision AS revision, NULL AS id, NULL AS canonical_filter, NULL AS events, NULL AS status,
                   NULL AS created_seq, NULL AS host, NULL AS account_id, NULL AS schedule, NULL AS receiver,
                   NULL AS filter_seq
            FROM watch_head WHERE pruned_revision > ${revision}
            UNION ALL
            SELECT * FROM (
              SELECT revision, id, canonical_filter, events, status, created_seq, host, account_id, schedule,
                     ${RECEIVER}, filter_seq
              FROM watches WHERE revision > ${revision} ORDER BY revision LIMIT ${plain(limit)}
            ) AS kept
            UNION ALL
            SELECT revision, id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM (
              SELECT revision, id FROM removed_watches
              WHERE revision > ${revision} ORDER BY revision LIMIT ${plain(limit)}
            ) AS removed
          ) AS changed
          ORDER BY id IS NOT NULL, revision
          LIMIT ${plain(limit + 1)}`,
    )
    const changes = found.filter((row) => row.id !== null).slice(0, limit)
    const [first] = found
    return { changes: changes.map(watchChangeOf), prunedTo: first?.id === null ? first.revision : null }
  },

  storedSecrets: (afterId, limit) =>
    rows<StoredSecrets>(
      sql`SELECT id AS "watchId", account_id AS "accountId", channel, url, secrets AS text, headers AS "headersText"
          FROM watches WHERE id > ${afterId} ORDER BY id LIMIT ${plain(limit)}`,
    ),

  *replaceSecrets(changes) {
    const next = changes.map(({ watchId, text, headersText: before, secrets, headers }) => [
      watchId,
      text,
      JSON.stringify(secrets),
      before,
      headersText(headers),
    ])
    return yield* run(
      sql`UPDATE watches SET secrets = ${SECRETS.secrets}, headers = ${SECRETS.headers}
          ${SECRETS.from(next)}
          WHERE watches.id = ${SECRETS.id} AND watches.secrets = ${SECRETS.text}
            AND watches.headers IS NOT DISTINCT FROM ${SECRETS.headers_before}`,
    )
  },

  /** Locks the watches' head, so that one node prunes at a time. */
  *pruneRemoved(now, before, limit) {
    yield* begin()
    yield* lockWatchHead()
    // A time in the future was written by a wrong clock.
    yield* run(
      sql`UPDATE removed_watches SET emptied_at = ${now}
          WHERE emptied AND (emptied_at IS NULL OR emptied_at > ${now})`,
    )
    const pruned = yield* rows<{ revision: number }>(
      sql`DELETE FROM removed_watches WHERE id ${amongRows(
        sql`SELECT id FROM removed_watches WHERE emptied AND emptied_at < ${before}
            ORDER BY revision LIMIT ${plain(limit)}`,
      )}
          RETURNING revision`,
    )
    if (pruned.length > 0) {
      const last = Math.max(...pruned.map(({ revision }) => revision))
      yield* run(sql`UPDATE watch_head SET pruned_revision = ${GREATEST}(pruned_revision, ${last})`)
    }
    return pruned.length
  },
} satisfies QueriesOf<Watches>

/** All alerts without an account have the same URL. */
const RECEIVER = shared(
  `CASE WHEN watches.channel IS NOT NULL THEN
     coalesce((SELECT recipient_hash FROM alerts WHERE alerts.watch_id = watches.id), watches.url) END AS receiver`,
)

export function findWatch(accountId: string | null, id: string): Query<Watch | null> {
  return first(
    sql`SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
        FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
        WHERE watches.id = ${plain(id)} AND (${text(accountId)} IS NULL OR watches.account_id = ${accountId})`,
    (row: WatchRow | undefined) => (row === undefined ? null : watchOf(row)),
  )
}

/** In the order of `watchValues`, after the id. */
const COLUMNS = shared(
  `account_id, name, url, host, description, events, status, disabled_reason, secrets,
   created_at, updated_at, created_seq, revision, canonical_filter, filter, headers, channel, schedule`,
)

/** Returns the watch as it was stored. */
export function* insertWatch(watch: Watch): Query<Watch> {
  const held = yield* heldIfBlocked(watch)
  const values = watchValues(held, yield* nextWatchRevision())
  yield* run(sql`INSERT INTO watches (id, ${COLUMNS}) VALUES (${listed(values)})`)
  yield* run(sql`INSERT INTO watch_progress (watch_id, sequence, failing_since) VALUES (${watch.id}, 0, NULL)`)
  return held
}

/**
 * An account may have been blocked since a request was let in: its watch then waits as its others
 * do. The caller holds the lock of the watches' head, for which blocking waits.
 */
export function* heldIfBlocked(watch: Watch): Query<Watch> {
  if (watch.status !== 'active' || !(yield* isBlocked(watch.accountId))) return watch
  return { ...watch, status: 'disabled', disabledReason: ACCOUNT_BLOCKED_REASON }
}

export function* updateWatch(watch: Watch): Query<void> {
  const [id, ...values] = watchValues(watch, yield* nextWatchRevision())
  yield* run(sql`UPDATE watches SET (${COLUMNS}) = (${listed(values)}) WHERE id = ${id}`)
}

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
function watchValues(watch: Watch, revision: number) {
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

function headersText(headers: readonly WatchHeader[]): string | null {
  return headers.length === 0 ? null : JSON.stringify(headers)
}

interface WatchChangeRow {
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

function watchChangeOf({ revision, id, ...row }: WatchChangeRow): WatchChange {
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
