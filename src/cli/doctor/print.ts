import { type CheckResult, STATUSES, worstOf } from './finding.ts'

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
