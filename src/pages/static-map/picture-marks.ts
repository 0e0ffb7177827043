import type { ArchiveView } from '../../archive/archive-view.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Steps } from '../../lib/steps.ts'
import { findMarks, type Mark } from '../marks/find-marks.ts'
import type { Projection } from './projection.ts'

/**
 * Finds the marks of a picture, with positions in its pixels. They are those of at most some dozen
 * tiles: the zoom is chosen so that a tile has at least 512 pixels.
 */
export function* findPictureMarks(
  view: ArchiveView,
  filter: Filter,
  now: number,
  { atShare, markZoom, shown, width, height }: Projection,
): Steps<Mark[]> {
  const { marks } = yield* findMarks(view, filter, now, shown, markZoom)
  return marks
    .map((mark) => {
      const [x, y] = atShare(mark.x, mark.y)
      return { ...mark, x, y }
    })
    .filter(({ x, y }) => x > 0 && y > 0 && x < width && y < height)
}
