import type { Check } from './harness/check.ts'
import type { Counts } from './harness/counts.ts'
import type { StoreKind } from './harness/databases.ts'

/** The outcome of one scenario in one setup. */
export interface ScenarioResult {
  /** The setup, such as the store and the number of processes. */
  readonly setup: string
  /** The number of times that the fault was injected. */
  readonly times: number
  /** Null if the scenario delivers no incidents. */
  readonly counts: Counts | null
  readonly checks: readonly Check[]
  /**
   * Why it could not run here, such as a missing command; it has then neither passed nor failed.
   */
  readonly notRun?: string
}

/** Options of the command line; a scenario ignores those that do not apply to it. */
export interface ScenarioOptions {
  /** Repeats the random choices of an earlier run. */
  readonly seed?: number
  /** Restricts the run to one store. */
  readonly store?: StoreKind
  /** Ends scenarios of many rounds early; their results have the number of rounds until then. */
  readonly maxMinutes?: number
  /** Aims the fuzz at the operations with these ids, separated by commas. */
  readonly operation?: string
  /** The last release: a commit, or the file of its package. */
  readonly last?: string
  /**
   * Restricts the sabotages to those with one of these texts, separated by commas, in their name.
   */
  readonly only?: string
}

export interface Scenario {
  /** The injected fault, in a few words. */
  readonly description: string
  /** The default number of rounds. */
  readonly rounds: number
  /** A form that takes seconds; the table of sabotages runs it, and so do tests. */
  readonly quick?: () => Promise<readonly ScenarioResult[]>
  readonly run: (rounds: number, options: ScenarioOptions) => Promise<readonly ScenarioResult[]>
  /** Adds a part that was run with `only` to what was recorded earlier. */
  readonly merge?: (earlier: readonly ScenarioResult[], part: readonly ScenarioResult[]) => readonly ScenarioResult[]
  /** True for a scenario that only runs if it is named on the command line. */
  readonly onlyByName?: boolean
}

/** Counts of failures; a scenario passes only if all of them are 0. */
export const MUST_BE_ZERO = [
  'missingFromLog',
  'reportsLost',
  'reportsDoubled',
  'lost',
  'unexpected',
  'idChanged',
  'outOfOrder',
  'falseMessages',
  'outdated',
  'wrongReads',
] as const

/** False for a scenario that could not run. */
export function hasPassed({ counts, checks, notRun }: ScenarioResult): boolean {
  const allDelivered = counts === null || MUST_BE_ZERO.every((name) => counts[name] === 0)
  return notRun === undefined && allDelivered && checks.every(({ passed }) => passed)
}

/** The word for the outcome in tables. */
export function outcomeOf(result: ScenarioResult): 'passed' | 'FAILED' | 'NOT RUN' {
  if (result.notRun !== undefined) return 'NOT RUN'
  return hasPassed(result) ? 'passed' : 'FAILED'
}

/** The result of a scenario that cannot run on this machine. */
export function notRun(setup: string, reason: string): ScenarioResult {
  return { setup, times: 0, counts: null, checks: [], notRun: reason }
}
