/** A watch in the order of the fan-out, with the position to store after it. */
export interface OrderedWatch {
  readonly id: string
  readonly accountId: string
  /** The watch's id once all up to it are written; null while watches are taken out of order. */
  readonly position: string | null
}

/** Watches of one account that come first; the rest of a large account comes in its order. */
const MAX_FIRST_PER_ACCOUNT = 100

/**
 * Orders the watches of an event, given in the order of their ids: first those whose endpoints are
 * known to answer, so that thousands of others delay none of them, then all others in the order of
 * their ids. A process that resumes after `position` repeats some of the first ones; a watch gets
 * each event once, so these are skipped.
 */
export function fanOutOrder(
  watches: readonly Pick<OrderedWatch, 'id' | 'accountId'>[],
  isPrompt: (watchId: string) => boolean,
): OrderedWatch[] {
  const first: OrderedWatch[] = []
  const others: OrderedWatch[] = []
  const firstOf = new Map<string, number>()
  for (const { id, accountId } of watches) {
    const count = firstOf.get(accountId) ?? 0
    if (count < MAX_FIRST_PER_ACCOUNT && isPrompt(id)) {
      firstOf.set(accountId, count + 1)
      first.push({ id, accountId, position: null })
    } else others.push({ id, accountId, position: id })
  }
  return first.concat(others)
}
