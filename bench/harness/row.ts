/** One line of the benchmark's table. */
export interface Row {
  /** Starts with the suite's name and a colon. */
  name: string
  /** The figure, with its explanation in brackets. */
  value: string
  /** The limit; `–` if the row is informational. */
  limit: string
  /** A comparison from the same run. */
  peer?: string
  ok: boolean
}
