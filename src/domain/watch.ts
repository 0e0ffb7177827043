import type { EventKind } from './incident.ts'

/** What a watch can be told of. */
export const WATCH_EVENTS = [
  'incident.created',
  'incident.updated',
  'incident.retracted',
] as const satisfies readonly EventKind[]
export type WatchEvent = (typeof WATCH_EVENTS)[number]

export const WATCH_STATUSES = ['active', 'paused', 'disabled'] as const
export type WatchStatus = (typeof WATCH_STATUSES)[number]

/** A saved filter with an endpoint to tell. */
export interface Watch {
  readonly id: string
  readonly accountId: string
  /** One of a kind within its account. */
  readonly name: string
  readonly url: string
  readonly description: string | null
  readonly filter: WatchFilter
  readonly events: readonly WatchEvent[]
  readonly status: WatchStatus
  readonly disabledReason: string | null
  readonly secret: string
  /** Signs as well until `previousSecretExpiresAt`. */
  readonly previousSecret: string | null
  readonly previousSecretExpiresAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  /** The log's head when it was made: it is owed what comes after. */
  readonly createdSeq: number
  /** The number of its last delivery; 0 before the first. */
  readonly sequence: number
  /** Its first failed attempt since the last one that succeeded. */
  readonly failingSince: number | null
}

/** Both as JSON text. */
export interface WatchFilter {
  /** As its owner wrote it. */
  readonly given: string
  /** As it is understood. */
  readonly canonical: string
}

export type NewWatch = Omit<Watch, 'createdSeq' | 'sequence' | 'failingSince'>

/** What is absent stays as it is. */
export interface WatchPatch {
  readonly name?: string
  readonly url?: string
  readonly description?: string | null
  readonly filter?: WatchFilter
  readonly events?: readonly WatchEvent[]
  readonly status?: WatchStatus
  /** With the status `disabled`. */
  readonly disabledReason?: string
  readonly rotation?: SecretRotation
}

export interface SecretRotation {
  readonly secret: string
  readonly previousExpiresAt: number
}

export function applyWatchPatch(watch: Watch, patch: WatchPatch, now: number): Watch {
  const { disabledReason, rotation, ...fields } = patch
  return {
    ...watch,
    ...fields,
    ...(fields.status && standing(watch, fields.status, disabledReason ?? null)),
    ...(rotation && rotated(watch, rotation)),
    updatedAt: now,
  }
}

/** A watch that is taken up again has a clean slate: its next failure is the first. */
function standing(watch: Watch, status: WatchStatus, reason: string | null): Partial<Watch> {
  return {
    disabledReason: status === 'disabled' ? reason : null,
    failingSince: status === 'active' && watch.status !== 'active' ? null : watch.failingSince,
  }
}

function rotated(watch: Watch, { secret, previousExpiresAt }: SecretRotation): Partial<Watch> {
  return { secret, previousSecret: watch.secret, previousSecretExpiresAt: previousExpiresAt }
}

/** Whom its deliveries keep busy: deliveries to one host share a limit. */
export function hostOf(watch: Pick<Watch, 'url'>): string {
  return new URL(watch.url).host
}
