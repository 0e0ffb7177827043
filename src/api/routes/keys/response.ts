import type { IssuedKey } from '../../../accounts/keys.ts'
import { dayOf } from '../../../accounts/usage-meter.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Key } from '../../../domain/keys.ts'
import type { KeyRefusal, KeyUsage, Store } from '../../../store/store.ts'

const DAY_MS = 86_400_000
/** Usage is shown for so many days, today included. */
export const USAGE_DAYS = 30

export function keyResponse(key: Key, usage?: KeyUsage) {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    origins: key.origins,
    created_at: timeResponse(key.createdAt),
    expires_at: key.expiresAt === null ? null : timeResponse(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : timeResponse(key.revokedAt),
    last_used_at: usage?.lastUsedAt ? timeResponse(usage.lastUsedAt) : null,
    requests_last_30_days: usage?.requests ?? 0,
  }
}

/** Renders keys with their usage, read in one query. */
export async function keyResponses(store: Store, keys: readonly Key[], now: number) {
  const ids = keys.map(({ id }) => id)
  const usage = new Map((await store.usage.byKey(ids, firstUsageDay(now))).map((used) => [used.keyId, used]))
  return keys.map((key) => keyResponse(key, usage.get(key.id)))
}

export function firstUsageDay(now: number): string {
  return dayOf(now - (USAGE_DAYS - 1) * DAY_MS)
}

export function issuedKeyResponse({ key, text }: IssuedKey) {
  return { key: text, account_id: key.accountId, ...keyResponse(key) }
}

export function issuedKeyAnswer(issued: IssuedKey) {
  return { status: 201, body: issuedKeyResponse(issued) }
}

/** Throws if the store refused the key. */
export function requireIssued(outcome: IssuedKey | KeyRefusal, max: number): IssuedKey {
  if (typeof outcome !== 'string') return outcome
  const rule = {
    too_many: `An account may have ${max} valid keys. Revoke one that you do not need.`,
    too_many_today: 'An account may create 100 keys in 24 hours. Use the ones you have.',
  }
  throw new Problem('too_many_keys', rule[outcome])
}

export function timeResponse(time: number): string {
  return new Date(time).toISOString()
}
