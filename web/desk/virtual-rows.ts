/** Rows drawn beyond each edge, so that a quick scroll shows no gap. */
const MARGIN_ROWS = 6

export interface Range {
  readonly first: number
  /** The row after the last one. */
  readonly last: number
  /** The first row that is wholly in view. */
  readonly firstVisible: number
}

/** The rows to draw, of a list with rows of one height. */
export function visibleRange(top: number, height: number, rowHeight: number, count: number): Range {
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS)
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN_ROWS)
  return { first: Math.min(first, last), last, firstVisible: Math.min(count, Math.ceil(top / rowHeight)) }
}

interface Identified {
  readonly id: string
}

export interface Anchor extends Identified {
  /** Its distance from the upper edge of the view. */
  readonly offset: number
}

/** The scroll position of a list, and its largest. */
interface Scroll {
  readonly top: number
  readonly maxTop: number
}

/** The rows whose place on the screen must not change: the current one, else those in view. */
export function anchorIn(
  rows: readonly Identified[],
  current: string | null,
  top: number,
  height: number,
  rowHeight: number,
): Anchor[] {
  const first = Math.ceil(top / rowHeight)
  const inView = rows.slice(first, Math.floor((top + height) / rowHeight))
  const anchors = inView.map(({ id }, index) => ({ id, offset: (first + index) * rowHeight - top }))
  const own = anchors.filter(({ id }) => id === current)
  return [...own, ...anchors.filter(({ id }) => id !== current)]
}

/**
 * Returns where to scroll to after the rows have changed, so that those in view stand still; null:
 * nowhere. Keeps what the reader has scrolled since the anchors were noted at `notedTop`.
 */
export function scrollAfter(
  anchors: readonly Anchor[],
  notedTop: number,
  now: Scroll,
  rows: readonly Identified[],
  rowHeight: number,
): number | null {
  const still = scrollFor(anchors, rows, rowHeight)
  if (still === null) return null
  // A list that has become shorter is moved by the browser, not by the reader.
  const isClamped = now.top < notedTop && now.top >= now.maxTop - 1
  return Math.max(0, still + (isClamped ? 0 : now.top - notedTop))
}

/**
 * The scroll position at which the first anchor that is left stands where it stood; null without
 * one.
 */
function scrollFor(anchors: readonly Anchor[], rows: readonly Identified[], rowHeight: number): number | null {
  if (anchors.length === 0) return null
  const indexes = new Map(rows.map(({ id }, index) => [id, index]))
  for (const { id, offset } of anchors) {
    const index = indexes.get(id)
    if (index !== undefined) return Math.max(0, index * rowHeight - offset)
  }
  return null
}
