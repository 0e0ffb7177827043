import { isDeepStrictEqual } from 'node:util'
import type { NewAuditEntry } from '../store/store.ts'
import type { KeyHolder } from './keys/key-cache.ts'

/** What is kept of an act of an account, beside the steps at the desk. */
export interface Act {
  /** A noun and a verb, such as `key.revoke`. */
  readonly action: string
  /** The id of the account, key or session that it was done to. */
  readonly subject: string
  /** The state before and after; only the fields that differ are kept. */
  readonly before?: object
  readonly after?: object
}

/** The entry for `Store.withAudit`. */
export function auditEntryOf(
  { key, account }: KeyHolder,
  { action, subject, before = {}, after = {} }: Act,
  now: number,
): NewAuditEntry {
  const differing = (fields: object, others: object) => {
    const entries = Object.entries(fields).filter(
      ([name, value]) => !isDeepStrictEqual(value, (others as Record<string, unknown>)[name]),
    )
    return entries.length === 0 ? null : Object.fromEntries(entries)
  }
  return {
    at: now,
    by: { accountId: account.id, keyId: key.id, name: account.name ?? key.name ?? `key …${key.hint}` },
    action,
    subject,
    note: null,
    before: differing(before, after),
    after: differing(after, before),
  }
}
