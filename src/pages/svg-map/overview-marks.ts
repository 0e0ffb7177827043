import type { ArchiveView } from '../../archive/archive-view.ts'
import type { Filter } from '../../filter/filter.ts'
import { OVERVIEW_BOX, OVERVIEW_MARK_ZOOMS } from '../../filter/overview-map.ts'
import type { Steps } from '../../lib/steps.ts'
import { findMarks, type Mark } from '../marks/find-marks.ts'

export interface OverviewMarks {
  /** For each zoom, in the order of OVERVIEW_MARK_ZOOMS. */
  readonly levels: readonly (readonly Mark[])[]
  /** Without new events the marks are the same until then: incidents leave a `since` window. */
  readonly validUntil: number
}

/** Finds the marks of all of Nigeria: the same clusters as in the tiles of these zooms. */
export function* findOverviewMarks(view: ArchiveView, filter: Filter, now: number): Steps<OverviewMarks> {
  const levels: Mark[][] = []
  let validUntil = Number.POSITIVE_INFINITY
  for (const zoom of OVERVIEW_MARK_ZOOMS) {
    const found = yield* findMarks(view, filter, now, OVERVIEW_BOX, zoom)
    levels.push(found.marks)
    validUntil = Math.min(validUntil, found.validUntil)
  }
  return { levels, validUntil }
}
