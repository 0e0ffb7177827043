export interface Setting {
  readonly baseUrl: string
  readonly key: string
  /** An endpoint for watches. */
  readonly hook: string
}

export function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`does not hold: ${what}`)
}
