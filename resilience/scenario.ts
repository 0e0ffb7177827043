import type { Check } from './harness/check.ts'
import type { StoreKind } from './harness/databases.ts'
import type { Counts } from './harness/harness.ts'

/** The outcome of one scenario in one setup. */
export interface ScenarioResult {
  /** The setup, such as the store and the number of processes. */
  readonly setup: string
  /** The number of times that the fault was injected. */
  readonly times: number
  /** Null if the scenario delivers no incidents. */
  readonly counts: Counts | null
  readonly checks: readonly Check[]
}

/** Options of the command line; a scenario ignores those that do not apply to it. */
export interface ScenarioOptions {
  /** Repeats the random choices of an earlier run. */
  readonly seed?: number
  /** Restricts the run to one store. */
  readonly store?: StoreKind
}

export interface Scenario {
  /** The injected fault, in a few words. */
  readonly description: string
  /** The default number of rounds. */
  readonly rounds: number
  readonly run: (rounds: number, options: ScenarioOptions) => Promise<readonly ScenarioResult[]>
  /** True for a scenario that only runs if it is named on the command line. */
  readonly onlyByName?: boolean
}

/** Counts of failures; a scenario passes only if all of them are 0. */
export const MUST_BE_ZERO = ['missingFromLog', 'lost', 'unexpected', 'idChanged', 'outOfOrder'] as const

export function hasPassed({ counts, checks }: ScenarioResult): boolean {
  const allDelivered = counts === null || MUST_BE_ZERO.every((name) => counts[name] === 0)
  return allDelivered && checks.every(({ passed }) => passed)
}
