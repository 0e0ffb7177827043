/** One line of the benchmark's table. */
export interface Row {
  name: string
  value: string
  /** What the issue asks for; `–` where the row only informs. */
  limit: string
  ok: boolean
}
