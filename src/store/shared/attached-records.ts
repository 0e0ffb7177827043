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

/** The claim's counts as JSON text, with the result of a write added. */
export function addCount(counts: string | null, name: string, result: unknown): string {
  if (typeof result !== 'number') throw new TypeError('only a write that returns a number can be counted')
  const before = countsOf(counts)
  return JSON.stringify({ ...before, [name]: (before[name] ?? 0) + result })
}

export function countsOf(counts: string | null): Record<string, number> {
  return counts === null ? {} : (JSON.parse(counts) as Record<string, number>)
}
