import type { Attempt, AttemptOutcome, Delivery, DeliveryStatus } from '../../domain/delivery.ts'
import type { Severity } from '../../domain/taxonomy.ts'
import type { WatchEvent, WatchSecret } from '../../domain/watch.ts'
import type { DeliveryPosition, Dispatch, Endpoint, LoggedDelivery } from '../interface/deliveries.ts'
import { PARKED_DUE_AT } from './lease.ts'
import { channelOf, headersOf, scheduleOf } from './watches.ts'

export interface DeliveryRow {
  id: string
  watch_id: string
  event_seq: number
  sequence: number
  kind: string
  watch_name: string
  host: string
  /** 0 or 1 in SQLite. */
  critical: boolean | number
  severity: string | null
  /** 0 or 1 in SQLite. */
  test: boolean | number
  status: string
  attempts: number
  /** 0 or 1 in SQLite. */
  maybe_attempted: boolean | number
  tries: number
  due_at: number | null
  lease_owner: string | null
  created_at: number
  finished_at: number | null
  /** 0 or 1 in SQLite. */
  postponed: boolean | number
}

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    watchId: row.watch_id,
    eventSeq: row.event_seq,
    sequence: row.sequence,
    kind: row.kind as WatchEvent,
    watchName: row.watch_name,
    host: row.host,
    critical: Boolean(row.critical),
    severity: row.severity as Severity | null,
    test: Boolean(row.test),
    status: row.status as DeliveryStatus,
    attempts: row.attempts,
    maybeAttempted: Boolean(row.maybe_attempted),
    tries: row.tries,
    dueAt: row.due_at === PARKED_DUE_AT ? null : row.due_at,
    leaseOwner: row.lease_owner,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}

/** Before every delivery. */
export const FIRST_POSITION: DeliveryPosition = { eventSeq: Number.MAX_SAFE_INTEGER, id: '' }

export interface EndpointRow {
  url: string
  /** JSON list. */
  secrets: string
  headers: string | null
  channel: string | null
  schedule: string | null
  site_list_id: string | null
  /** 0 or 1 in SQLite. */
  shares_receiver: boolean | number
}

const SITE_LIST_ID = '(SELECT list_id FROM watch_site_lists WHERE watch_id = watches.id) AS site_list_id'
/**
 * Looks for one other watch, as `Deliveries.findSameRecipient` does for all; webhooks cost nothing.
 */
const SHARES_RECEIVER = `CASE
         WHEN watches.channel IS NULL THEN FALSE
         WHEN EXISTS (SELECT 1 FROM alerts WHERE alerts.watch_id = watches.id) THEN EXISTS (
           SELECT 1 FROM alerts AS own JOIN alerts AS other ON other.recipient_hash = own.recipient_hash
           WHERE own.watch_id = watches.id AND other.watch_id <> own.watch_id)
         ELSE EXISTS (
           SELECT 1 FROM watches AS other
           WHERE other.account_id = watches.account_id AND other.url = watches.url AND other.channel IS NOT NULL
             AND other.id <> watches.id)
       END AS shares_receiver`

/** The columns of `EndpointRow`, for queries that have `watches`. */
export const ENDPOINT_COLUMNS = `watches.url, watches.secrets, watches.headers, watches.channel, watches.schedule,
       ${SITE_LIST_ID}, ${SHARES_RECEIVER}`

export function endpointOf(row: EndpointRow): Endpoint {
  return {
    channel: channelOf(row.channel),
    url: row.url,
    secrets: JSON.parse(row.secrets) as WatchSecret[],
    headers: headersOf(row.headers),
    schedule: scheduleOf(row.schedule),
    siteListId: row.site_list_id,
    sharesReceiver: Boolean(row.shares_receiver),
  }
}

/** The columns of a watch that a dispatch needs. */
export interface TargetRow extends EndpointRow {
  account_id: string
  failing_since: number | null
}

export function dispatchOf(row: DeliveryRow & TargetRow): Dispatch {
  return { delivery: deliveryOf(row), ...targetOf(row), postponed: Boolean(row.postponed) }
}

export function targetOf(row: TargetRow): Omit<Dispatch, 'delivery' | 'postponed'> {
  return { endpoint: endpointOf(row), accountId: row.account_id, failing: row.failing_since !== null }
}

export interface AttemptRow {
  number: number
  at: number
  duration: number
  outcome: string
  status_code: number | null
  answer: string | null
  error: string | null
  content_seq: number | null
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    number: row.number,
    at: row.at,
    duration: row.duration,
    outcome: row.outcome as AttemptOutcome,
    statusCode: row.status_code,
    contentSeq: row.content_seq,
    answer: row.answer,
    error: row.error,
  }
}

/** A delivery with its incident and its last attempt. */
export interface LoggedRow extends DeliveryRow {
  incident_id: string | null
  last_at: number | null
  last_duration: number
  last_outcome: string
  last_status_code: number | null
}

export function loggedOf(row: LoggedRow): LoggedDelivery {
  const lastAttempt =
    row.last_at === null
      ? null
      : {
          number: row.attempts,
          at: row.last_at,
          duration: row.last_duration,
          outcome: row.last_outcome as AttemptOutcome,
          statusCode: row.last_status_code,
        }
  return { delivery: deliveryOf(row), incidentId: row.incident_id, lastAttempt }
}
