import type { Filter } from '../../filter/filter/filter.ts'
import type { SegmentBounds } from '../segments/bounds.ts'

/**
 * Returns the filter without the conditions that all incidents within the bounds meet; null if one
 * is met by none of them. Incidents are published soon after they occur, so a window of occurrence
 * is left only to the few segments at its ends.
 */
export function undecidedBy(bounds: SegmentBounds, filter: Filter): Filter | null {
  const { minConfidence, maxConfidence, occurredFrom, occurredTo } = filter
  if (minConfidence === null && maxConfidence === null && occurredFrom === null && occurredTo === null) return filter
  const { leastConfidence, greatestConfidence, firstOccurrence, latestOccurrence } = bounds
  if (
    (minConfidence !== null && greatestConfidence < minConfidence) ||
    (maxConfidence !== null && leastConfidence > maxConfidence) ||
    (occurredFrom !== null && latestOccurrence < occurredFrom) ||
    (occurredTo !== null && firstOccurrence >= occurredTo)
  )
    return null
  return {
    ...filter,
    minConfidence: minConfidence !== null && leastConfidence < minConfidence ? minConfidence : null,
    maxConfidence: maxConfidence !== null && greatestConfidence > maxConfidence ? maxConfidence : null,
    occurredFrom: occurredFrom !== null && firstOccurrence < occurredFrom ? occurredFrom : null,
    occurredTo: occurredTo !== null && latestOccurrence >= occurredTo ? occurredTo : null,
  }
}
