import { evidenceOf, type Match } from '../../../domain/near-duplicates.ts'
import type { PairDismissal } from '../../../store/store.ts'

/** The key of a pair in the store: the lesser id is the first. */
export function pairOf(id: string, otherId: string): { readonly oneId: string; readonly otherId: string } {
  return id < otherId ? { oneId: id, otherId } : { oneId: otherId, otherId: id }
}

/** A dismissal holds until more speaks for one event than the editor had before them. */
export function holds({ evidence }: PairDismissal, match: Pick<Match, 'reasons'>): boolean {
  return evidenceOf(match) <= evidence
}

/** Dismissals by their pairs. */
export class Dismissals {
  readonly #byPair: ReadonlyMap<string, PairDismissal>

  constructor(dismissals: readonly PairDismissal[]) {
    this.#byPair = new Map(dismissals.map((dismissal) => [keyOf(dismissal), dismissal]))
  }

  find(id: string, otherId: string): PairDismissal | null {
    return this.#byPair.get(keyOf(pairOf(id, otherId))) ?? null
  }

  hides(id: string, otherId: string, match: Match): boolean {
    const dismissal = this.find(id, otherId)
    return dismissal !== null && holds(dismissal, match)
  }
}

function keyOf({ oneId, otherId }: { readonly oneId: string; readonly otherId: string }): string {
  return `${oneId} ${otherId}`
}
