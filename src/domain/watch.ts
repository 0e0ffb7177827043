import type { EventKind } from './incident.ts'
import { changedSchedule, type Digest, type QuietHours, type WatchSchedule } from './schedule.ts'
import { changedHeaders, type HeaderChange, type WatchHeader } from './watch-headers.ts'

export const WATCH_EVENTS = [
  'incident.created',
  'incident.updated',
  'incident.retracted',
] as const satisfies readonly EventKind[]
export type WatchEvent = (typeof WATCH_EVENTS)[number]

const WATCH_STATUSES = ['active', 'paused', 'disabled'] as const
export type WatchStatus = (typeof WATCH_STATUSES)[number]

/** A filter with the endpoint that matching events are sent to. */
export interface Watch {
  readonly id: string
  readonly accountId: string
  /** Unique within the account. */
  readonly name: string
  /** Never changes. */
  readonly channel: ChannelKind
  /** Of other channels than webhooks, what is shown of their address, which may be a secret. */
  readonly url: string
  readonly description: string | null
  readonly filter: WatchFilter
  readonly events: readonly WatchEvent[]
  readonly status: WatchStatus
  readonly disabledReason: string | null
  /**
   * Newest first; the first is the current one. Each signs messages until it expires. Of other
   * channels than webhooks, the one secret is the address that messages go to.
   */
  readonly secrets: readonly WatchSecret[]
  /** Sent with every message, besides those of the service. */
  readonly headers: readonly WatchHeader[]
  /** Null if messages go out at once. */
  readonly schedule: WatchSchedule | null
  readonly createdAt: number
  readonly updatedAt: number
  /** The log's head when the watch was created: it receives the events after it. */
  readonly createdSeq: number
  /** Sequence number of the last delivery; 0 before the first. */
  readonly sequence: number
  /** Time of the first failed attempt since the last success. */
  readonly failingSince: number | null
}

export interface WatchSecret {
  readonly secret: string
  /** Null for the current secret. */
  readonly expiresAt: number | null
}

/** JSON text: as the owner wrote it, and parsed in canonical form. */
export interface WatchFilter {
  readonly given: string
  readonly canonical: string
  /**
   * Given where a filter is stored: the store puts the shape of this saved area into `canonical`.
   */
  readonly areaId?: string
  /** Likewise: the store puts the version of this list of sites into `canonical`. */
  readonly siteListId?: string
}

export type NewWatch = Omit<Watch, 'createdSeq' | 'sequence' | 'failingSince'>

/** The status as its owner sees it: an active watch whose last attempts failed is `failing`. */
export const SHOWN_WATCH_STATUSES = ['active', 'failing', 'paused', 'disabled'] as const

export function shownStatus({
  status,
  failingSince,
}: Pick<Watch, 'status' | 'failingSince'>): (typeof SHOWN_WATCH_STATUSES)[number] {
  return status === 'active' && failingSince !== null ? 'failing' : status
}

/** Absent fields stay as they are. */
export interface WatchPatch {
  readonly name?: string
  readonly url?: string
  readonly description?: string | null
  readonly filter?: WatchFilter
  readonly events?: readonly WatchEvent[]
  readonly status?: WatchStatus
  /** Given with the status `disabled`. */
  readonly disabledReason?: string
  readonly rotation?: SecretRotation
  /** All headers that the watch has afterwards. */
  readonly headers?: readonly HeaderChange[]
  readonly digest?: Digest | null
  readonly quietHours?: QuietHours | null
}

interface SecretRotation {
  readonly secret: string
  /** A time in the past ends the earlier secrets at once. */
  readonly previousExpiresAt: number
}

/** Each signs every message: without a limit the signature header would grow without end. */
export const MAX_SECRETS = 10

/** A failure of another URL, or before the watch was resumed, says nothing about the endpoint. */
export function clearsFailures(before: Watch, after: Watch): boolean {
  return before.url !== after.url || resumes(before, after)
}

export function resumes(before: Watch, after: Watch): boolean {
  return before.status !== 'active' && after.status === 'active'
}

export function applyWatchPatch(watch: Watch, patch: WatchPatch, now: number): Watch {
  const { disabledReason, rotation, headers, digest, quietHours, ...fields } = patch
  return {
    ...watch,
    ...fields,
    ...(fields.url !== undefined && fields.url !== watch.url && { failingSince: null }),
    ...(fields.status && statusFields(watch, fields.status, disabledReason ?? null)),
    ...(headers && { headers: changedHeaders(watch.headers, headers) }),
    schedule: changedSchedule(watch.schedule, { digest, quietHours }),
    ...(rotation && { secrets: rotatedSecrets(watch.secrets, rotation, now) }),
    updatedAt: now,
  }
}

/** A watch that is resumed starts without failures. */
function statusFields(watch: Watch, status: WatchStatus, reason: string | null): Partial<Watch> {
  return {
    disabledReason: status === 'disabled' ? reason : null,
    ...(status === 'active' && watch.status !== 'active' && { failingSince: null }),
  }
}

/** Keeps the earlier secrets that are still valid, until `previousExpiresAt` at the latest. */
function rotatedSecrets(
  earlier: readonly WatchSecret[],
  { secret, previousExpiresAt }: SecretRotation,
  now: number,
): WatchSecret[] {
  const kept = earlier.map((each) => ({ ...each, expiresAt: Math.min(each.expiresAt ?? Infinity, previousExpiresAt) }))
  return [{ secret, expiresAt: null }, ...kept.filter(({ expiresAt }) => expiresAt > now)]
}

/** Returns the secrets that sign messages at the time; the current one comes first. */
export function validSecrets(secrets: readonly WatchSecret[], now: number): string[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ secret }) => secret)
}

/**
 * Includes the port: deliveries to one host share a limit. An address without a host has its
 * scheme.
 */
export function hostOf(watch: Pick<Watch, 'url'>): string {
  const { host, protocol } = new URL(watch.url)
  return host || protocol.slice(0, -1)
}

/** Ways to reach a receiver: signed JSON for a program, or a message that people read. */
export const CHANNEL_KINDS = ['webhook', 'email', 'slack', 'discord', 'teams', 'telegram', 'webpush'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Channels whose messages people read. */
export type MessengerKind = Exclude<ChannelKind, 'webhook'>

export function isMessenger(kind: ChannelKind): kind is MessengerKind {
  return kind !== 'webhook'
}

/** The pair of keys by which push services know this service (RFC 8292), in base64url. */
export interface VapidKeys {
  /**
   * 65 bytes: browsers are told it when they subscribe, and take only messages signed with its
   * pair.
   */
  readonly publicKey: string
  readonly privateKey: string
}
