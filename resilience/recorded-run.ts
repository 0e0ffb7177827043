import type { ScenarioResult } from './scenario.ts'

/** The last recorded run of one scenario. */
export interface RecordedRun {
  readonly scenario: string
  readonly commit: string
  readonly machine: string
  /** The day of the run. */
  readonly date: string
  readonly minutes: number
  readonly results: readonly ScenarioResult[]
}
