import { Problem } from '../../domain/errors.ts'

/** Of what was fetched with one more than a page holds: the page, and where the next one begins. */
export function pageOf<Row, Wire>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
  onWire: (row: Row) => Wire,
) {
  const page = rows.slice(0, limit)
  const more = rows.length > limit
  return { data: page.map(onWire), has_more: more, next_cursor: more ? cursorOf(page.at(-1)!) : null }
}

export function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'The cursor is not one that this service gave out; pass next_cursor on as it was.',
  )
}
