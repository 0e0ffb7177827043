import { isDeepStrictEqual } from 'node:util'
import type { AuditActor, NewAuditEntry } from '../store/store.ts'
import type { KeyHolder } from './key-cache.ts'

/** An act of an account that the audit keeps, beside the steps at the desk. */
export interface Act {
  /** A noun and a verb, such as `key.revoke`. */
  readonly action: string
  /** The id of the account, key or session that it was done to. */
  readonly subject: string
  /** The state before and after; only the fields that differ are kept. */
  readonly before?: object
  readonly after?: object
}

/** The entry for `Store.withAudit`, of what a key or a session does. */
export function auditEntryOf({ key, account }: KeyHolder, act: Act, now: number): NewAuditEntry {
  const by = { accountId: account.id, keyId: key.id, name: account.name ?? key.name ?? `key …${key.hint}` }
  return entryOf(by, act, now)
}

/** The same, of what the user of the machine does with a command. */
export function commandEntryOf(user: string, act: Act, now: number): NewAuditEntry {
  return entryOf({ accountId: null, keyId: null, name: `${user}, at the command line` }, act, now)
}

function entryOf(by: AuditActor, { action, subject, before = {}, after = {} }: Act, now: number): NewAuditEntry {
  return {
    at: now,
    by,
    action,
    subject,
    note: null,
    before: differing(before, after),
    after: differing(after, before),
  }
}

function differing(fields: object, others: object): object | null {
  const entries = Object.entries(fields).filter(
    ([name, value]) => !isDeepStrictEqual(value, (others as Record<string, unknown>)[name]),
  )
  return entries.length === 0 ? null : Object.fromEntries(entries)
}
