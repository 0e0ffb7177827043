/** One condition that a scenario checks besides the delivery counts. */
export interface Check {
  /** The condition, as a sentence that is true if the check passes. */
  readonly name: string
  readonly passed: boolean
  /** The measured value, for the report. */
  readonly observed: string
}
