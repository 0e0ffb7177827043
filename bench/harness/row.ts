/** One line of the benchmark's table. */
export interface Row {
  /** Begins with its suite's name and a colon. */
  name: string
  /** The figure first; what explains it in brackets. */
  value: string
  /** What the issue asks for; `–` where the row only informs. */
  limit: string
  /** What else was measured in the same run, and what it reached. */
  peer?: string
  ok: boolean
}
