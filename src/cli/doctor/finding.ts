export const STATUSES = ['ok', 'skipped', 'warning', 'failed'] as const
export type Status = (typeof STATUSES)[number]

/** One thing that a check has found out. */
export interface Finding {
  readonly status: Status
  readonly message: string
  /** What to do; null if there is nothing to mend. */
  readonly mend: string | null
}

export interface CheckResult {
  readonly check: string
  readonly findings: readonly Finding[]
}

export const ok = (message: string): Finding => ({ status: 'ok', message, mend: null })
/** Something else has to be mended first, or the check does not apply. */
export const skipped = (message: string): Finding => ({ status: 'skipped', message, mend: null })
export const warning = (message: string, mend: string): Finding => ({ status: 'warning', message, mend })
export const failed = (message: string, mend: string): Finding => ({ status: 'failed', message, mend })

/** The gravest status. */
export function worstOf(findings: readonly Pick<Finding, 'status'>[]): Status {
  return STATUSES[Math.max(0, ...findings.map(({ status }) => STATUSES.indexOf(status)))]!
}
