/** A claim lapses after this time unless it is renewed. */
export const CLAIM_MS = 15 * 60_000

/** An editor who works on an incident: until the claim lapses, nobody else may change it. */
export interface Claim {
  readonly accountId: string
  /** The editor's name, shown at the desk only. */
  readonly name: string
  readonly until: number
}

/** The claim, or null if it has lapsed. */
export function liveClaim(claim: Claim | null, now: number): Claim | null {
  return claim !== null && claim.until > now ? claim : null
}
