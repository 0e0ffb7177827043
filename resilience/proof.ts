import type { StoreKind } from './harness/empty-database.ts'
import type { Tally } from './harness/newsroom.ts'

/** What was promised besides that nothing is lost, and whether it was kept. */
export interface Promised {
  readonly what: string
  readonly kept: boolean
  /** What was seen. */
  readonly seen: string
}

/** What one fault did to one setting. */
export interface Finding {
  /** The setting, such as the store. */
  readonly where: string
  /** How often the fault was brought about. */
  readonly times: number
  /** Null where the fault leaves nothing to deliver. */
  readonly tally: Tally | null
  readonly promises: readonly Promised[]
}

/** What whoever runs a proof may ask for; a proof for which it means nothing passes it over. */
export interface Wishes {
  /** Where chance is to begin, to bring the same about again. */
  readonly seed?: number
  /** On this store alone. */
  readonly store?: StoreKind
}

export interface Proof {
  /** What is done to the service, in a few words. */
  readonly what: string
  /** How often, where nobody says. */
  readonly rounds: number
  readonly run: (rounds: number, wishes: Wishes) => Promise<readonly Finding[]>
  /** Runs only where it is asked for by name. */
  readonly onlyByName?: boolean
}

export const MUST_BE_ZERO = ['forgotten', 'lost', 'uncalledFor', 'renamed', 'outOfSequence'] as const

export function isSound({ tally, promises }: Finding): boolean {
  const allDelivered = tally === null || MUST_BE_ZERO.every((count) => tally[count] === 0)
  return allDelivered && promises.every(({ kept }) => kept)
}
