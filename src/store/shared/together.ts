import type { HeldDelivery } from '../interface/deliveries.ts'

export interface TogetherRequest {
  readonly owner: string
  readonly held: readonly HeldDelivery[]
  readonly watchIds: readonly string[]
  readonly now: number
  readonly until: number
}

/** A pending delivery that a message may tell of. */
export interface TogetherRow {
  readonly id: string
  readonly watchId: string
  readonly eventSeq: number
  readonly dueAt: number
  readonly leaseOwner: string | null
}

export interface ChosenTogether {
  readonly rows: readonly TogetherRow[]
  readonly leasedUntil: number
}

/**
 * Chooses what the caller still holds under the leases that it names, and all else of the same
 * events.
 */
export function chooseTogether(
  rows: readonly TogetherRow[],
  { owner, held, until }: Pick<TogetherRequest, 'owner' | 'held' | 'until'>,
): ChosenTogether {
  const lease = new Map(held.map(({ id, leasedUntil }) => [id, leasedUntil]))
  const isHeld = ({ id, leaseOwner, dueAt }: TogetherRow) => leaseOwner === owner && lease.get(id) === dueAt
  const events = new Set(rows.filter(isHeld).map(({ eventSeq }) => eventSeq))
  const chosen = rows.filter((row) => isHeld(row) || (!lease.has(row.id) && events.has(row.eventSeq)))
  // Whoever has one of them in a queue must not take the new lease for its own.
  const leases = chosen.flatMap(({ leaseOwner, dueAt }) => (leaseOwner === null ? [] : [dueAt + 1]))
  return { rows: chosen, leasedUntil: Math.max(until, ...leases) }
}

/**
 * Of all watches of a receiver, in order, the part that has this one: each watch is in one part
 * only.
 */
export function partWith(watchIds: readonly string[], watchId: string, most: number): string[] {
  const start = Math.floor(Math.max(0, watchIds.indexOf(watchId)) / most) * most
  return watchIds.slice(start, start + most)
}
