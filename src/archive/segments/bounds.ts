import type { Columns } from '../columns/columns.ts'

/**
 * The least and greatest values in a segment: they decide most conditions without its incidents.
 */
export interface SegmentBounds {
  readonly leastConfidence: number
  readonly greatestConfidence: number
  /** Times in ms. */
  readonly firstOccurrence: number
  readonly latestOccurrence: number
}

export function boundsOf(slots: Uint32Array, { confidence, occurredAt }: Columns): SegmentBounds {
  let [leastConfidence, greatestConfidence] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [firstOccurrence, latestOccurrence] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let offset = 0; offset < slots.length; offset++) {
    const slot = slots[offset]!
    if (confidence[slot]! < leastConfidence) leastConfidence = confidence[slot]!
    if (confidence[slot]! > greatestConfidence) greatestConfidence = confidence[slot]!
    if (occurredAt[slot]! < firstOccurrence) firstOccurrence = occurredAt[slot]!
    if (occurredAt[slot]! > latestOccurrence) latestOccurrence = occurredAt[slot]!
  }
  return { leastConfidence, greatestConfidence, firstOccurrence, latestOccurrence }
}
