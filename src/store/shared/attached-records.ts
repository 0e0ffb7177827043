import type { NewAuditEntry, Receipt } from '../store.ts'

/** Records that are committed together with a write. */
export interface AttachedRecords {
  readonly receipt?: Receipt
  readonly auditEntry?: NewAuditEntry
}

/**
 * True if a write has refused and stored nothing: every write says so with null, false or a word,
 * and reports success with undefined, true, a number or an object.
 */
export function isRefusal(result: unknown): boolean {
  return result === null || result === false || typeof result === 'string'
}
