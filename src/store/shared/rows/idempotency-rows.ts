import type { IdempotencyClaim } from '../../store.ts'

export interface ClaimRow {
  fingerprint: string
  rights: string | null
  answer: Uint8Array | null
  /** 0 or 1 in SQLite. */
  redacted: boolean | number
}

export function claimOf({ fingerprint, rights, answer, redacted }: ClaimRow): IdempotencyClaim {
  if (redacted) return { state: 'redacted', fingerprint, rights }
  return answer === null
    ? { state: 'running', fingerprint, rights }
    : { state: 'finished', fingerprint, rights, answer: new Uint8Array(answer) }
}
