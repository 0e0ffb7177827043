import type { Check } from '../harness/check.ts'
import type { ScenarioResult } from '../scenario.ts'

const NOTICED = 'noticed: '
const SUMMARY = 'every sabotage is noticed'

/** The check of one sabotage. */
export function noticedCheck(sabotage: string, passed: boolean, observed: string): Check {
  return { name: `${NOTICED}${sabotage}`, passed, observed }
}

/** Whether the check is that of one sabotage. */
export function isNoticedCheck({ name }: Check): boolean {
  return name.startsWith(NOTICED)
}

/** The observation of the check of a sabotage. */
export function observedOf(checks: readonly Check[], sabotage: string): string {
  const check = checks.find(({ name }) => name === NOTICED + sabotage)
  if (check === undefined) return '–'
  return check.passed ? check.observed : `**FAILED**: ${check.observed}`
}

/** The result for a table of sabotages; those without a check count as not noticed. */
export function summarize(sabotages: readonly string[], checks: readonly Check[]): ScenarioResult {
  const rows = new Map(checks.map((check) => [check.name, check]))
  rows.delete(SUMMARY)
  const ofTable = sabotages.flatMap((name) => rows.get(NOTICED + name) ?? [])
  const noticed = ofTable.filter(({ passed }) => passed).length
  const summary: Check = {
    name: SUMMARY,
    passed: noticed === sabotages.length,
    observed: `${noticed} of ${sabotages.length} caught`,
  }
  const others = [...rows.values()].filter((check) => !isNoticedCheck(check))
  return { setup: 'a copy', times: ofTable.length, counts: null, checks: [summary, ...others, ...ofTable] }
}
