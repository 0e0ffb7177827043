export const STATUSES = ['ok', 'skipped', 'warning', 'failed'] as const
export type Status = (typeof STATUSES)[number]

/** One thing that a check has found out. */
export interface Finding {
  readonly status: Status
  readonly message: string
  /** Advice; null if there is nothing to mend. */
  readonly mend: string | null
}

/** Findings as a judging function yields them. */
export type Findings = Generator<Finding, void, void>

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

const STATUS_WIDTH = Math.max(...STATUSES.map(({ length }) => length))

export function resultsAsText(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ check }) => check.length))
  const indent = ' '.repeat(STATUS_WIDTH + width + 4)
  const lines = results.flatMap(({ check, findings }) =>
    findings.flatMap(({ status, message, mend }) => {
      const line = `${status.padEnd(STATUS_WIDTH)}  ${check.padEnd(width)}  ${message}`
      return mend === null ? [line] : [line, `${indent}→ ${mend}`]
    }),
  )
  const all = results.flatMap(({ findings }) => findings)
  const count = (wanted: string) => all.filter(({ status }) => status === wanted).length
  return [...lines, '', `${count('failed')} failed, ${count('warning')} warnings, ${count('ok')} ok`].join('\n')
}

/** The form for programs; a field is never removed or renamed. */
export function resultsAsJson(results: readonly CheckResult[], version: string): string {
  const checks = results.map(({ check, findings }) => ({ check, status: worstOf(findings), findings }))
  return JSON.stringify({ status: worstOf(checks), version, checks }, null, 2)
}
