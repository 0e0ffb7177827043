export interface ClaimRequest {
  readonly id: string
  /** The account or address for which the answer counts. */
  readonly subject: string
  /** Differs for another request under the same id. */
  readonly fingerprint: string
  /** Rights of the caller: an answer must not be read with other ones. */
  readonly rights: string
  /** A new random text: of two holders of an id only the last one can write. */
  readonly token: string
}

/** Times before which an entry, or its holder, no longer counts. */
export interface ClaimTimes {
  readonly now: number
  readonly expiredBefore: number
  /** An unfinished claim from before or from after this span can be taken over. */
  readonly lostBefore: number
  readonly lostAfter: number
}

export type IdempotencyClaim =
  /**
   * The id was unused or its holder lost. The caller must `finish` or `abandon` its claim, or store
   * a receipt. `counts`: the work that earlier holders have committed.
   */
  | { readonly state: 'claimed'; readonly counts: Readonly<Record<string, number>> }
  /** Another caller holds the claim and has not finished. */
  | { readonly state: 'running'; readonly fingerprint: string; readonly rights: string | null }
  /** The request was carried out; its answer was forgotten because of a redaction. */
  | { readonly state: 'redacted'; readonly fingerprint: string; readonly rights: string | null }
  | {
      readonly state: 'finished'
      readonly fingerprint: string
      readonly rights: string | null
      readonly answer: Uint8Array
    }

export interface ClaimHolder {
  readonly id: string
  readonly token: string
}

export interface StoredAnswer {
  readonly answer: Uint8Array
  /**
   * The ids of the incidents in the answer, for redactions: the answer itself is encrypted. Without
   * them, every redaction forgets the answer.
   */
  readonly mentions?: string
}

/**
 * Ties a write to the claim of its request. With `answer` the write finishes the claim; with
 * `count` the number that the write returns is added to the claim's count of that name, and the
 * claim goes on.
 */
export type Receipt = ClaimHolder & (StoredAnswer | { readonly count: string; readonly now: number })

export interface IdempotencyBounds {
  readonly entries: number
  readonly bytes: number
}

export interface IdempotencyUsage extends IdempotencyBounds {
  /** The subjects with the most bytes, largest first. */
  readonly largest: readonly (IdempotencyBounds & { readonly subject: string })[]
}

/**
 * Stores answers to POST requests by idempotency key; the caller encrypts them. `Store.withReceipt`
 * stores an answer together with what the request wrote.
 */
export interface Idempotency {
  /** Claims an id; of concurrent callers exactly one succeeds. */
  claim(request: ClaimRequest, times: ClaimTimes): Promise<IdempotencyClaim>
  /** Stores the answer of a request without a write; false if the claim was lost. */
  finish(holder: ClaimHolder, answer: Uint8Array, mentions?: string): Promise<boolean>
  /** Lets the id be claimed again at once; does nothing if the claim was lost or is finished. */
  abandon(holder: ClaimHolder): Promise<void>
  /** Deletes a subject's oldest answers above the bounds; running claims stay. Returns how many. */
  trim(subject: string, bounds: IdempotencyBounds): Promise<number>
  /** Counts what is stored; lists up to `largest` subjects. */
  usage(largest: number): Promise<IdempotencyUsage>
  /** Deletes up to `limit` claims and answers made before `before`. Returns how many. */
  deleteExpired(before: number, limit: number): Promise<number>
}
