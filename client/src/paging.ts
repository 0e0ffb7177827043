/** One page of a list. */
export interface Page<Entry> {
  /** The entries of the page. */
  readonly data: readonly Entry[]
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** Send it as `cursor` to get the next page; null on the last. */
  readonly next_cursor: string | null
}

/** Reads page after page, each when its first entry is asked for. */
export async function* entriesOf<Entry>(
  read: (cursor: string | undefined) => Promise<Page<Entry>>,
  first: string | undefined,
): AsyncGenerator<Entry, void, undefined> {
  let cursor = first
  do {
    const page = await read(cursor)
    yield* page.data
    cursor = page.has_more ? (page.next_cursor ?? undefined) : undefined
  } while (cursor !== undefined)
}
