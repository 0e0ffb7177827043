import type { Delivery } from './delivery.ts'

export interface CombinedPart {
  readonly delivery: Pick<Delivery, 'kind' | 'attempts' | 'sequence'>
  readonly incidentId: string
  /** Null if what the delivery would say is no longer true. */
  readonly document: string | null
}

export interface Combined<Part> {
  /** One for each incident. */
  readonly told: readonly Part[]
  /** Of the same incidents: what is told says it too. */
  readonly covered: readonly Part[]
  readonly cancelled: readonly Part[]
}

/**
 * Decides what one message says for several deliveries of a watch. Each incident is told once, as it
 * stands. One that was retracted before anybody was told of it is not told at all.
 */
export function combineMessages<Part extends CombinedPart>(parts: readonly Part[]): Combined<Part> {
  const told: Part[] = []
  const covered: Part[] = []
  const cancelled: Part[] = []
  const inOrder = parts.toSorted((one, other) => one.delivery.sequence - other.delivery.sequence)
  for (const group of Map.groupBy(inOrder, ({ incidentId }) => incidentId).values()) {
    const chosen = partToTell(group)
    for (const part of group)
      if (part === chosen) told.push(part)
      else if (chosen !== null && part.document !== null) covered.push(part)
      else cancelled.push(part)
  }
  return { told, covered, cancelled }
}

function partToTell<Part extends CombinedPart>(group: readonly Part[]): Part | null {
  const sendable = group.filter(({ document }) => document !== null)
  const retraction = sendable.findLast(({ delivery }) => delivery.kind === 'incident.retracted')
  // An attempt that failed may have arrived all the same.
  const neverTold = group.some(({ delivery }) => delivery.kind === 'incident.created' && delivery.attempts === 0)
  if (retraction !== undefined) return neverTold ? null : retraction
  // Who was not told of it yet reads of a new incident, not of a correction.
  return sendable.find(({ delivery }) => delivery.kind === 'incident.created') ?? sendable.at(-1) ?? null
}
