import { Problem } from '../../domain/errors.ts'

/** Takes `limit + 1` fetched items; the extra one shows that another page follows. */
export function pageOf<Item, Response>(
  items: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
  toResponse: (item: Item) => Response,
) {
  const page = items.slice(0, limit)
  const more = items.length > limit
  return { data: page.map(toResponse), has_more: more, next_cursor: more ? cursorOf(page.at(-1)!) : null }
}

export function invalidCursor(): Problem {
  return new Problem('invalid_cursor', 'The cursor was not issued by this service; send next_cursor unchanged.')
}
