export type IdempotencyClaim =
  /** The id was unused. The caller must `finish` or `abandon` its claim. */
  | { readonly state: 'claimed' }
  /** Another caller holds the claim and has not finished. */
  | { readonly state: 'running'; readonly fingerprint: string }
  | { readonly state: 'finished'; readonly fingerprint: string; readonly answer: Uint8Array }

/** Stores answers to POST requests by idempotency key; the caller encrypts them. */
export interface Idempotency {
  /**
   * Claims an id; of concurrent callers exactly one succeeds. Ignores entries made before
   * `expiredBefore`, and unfinished claims made before `lostBefore`: their holders died.
   */
  claim(
    id: string,
    fingerprint: string,
    now: number,
    expiredBefore: number,
    lostBefore: number,
  ): Promise<IdempotencyClaim>
  finish(id: string, answer: Uint8Array): Promise<void>
  abandon(id: string): Promise<void>
  /** Deletes the claims and answers made before `before`. */
  deleteExpired(before: number): Promise<void>
}
