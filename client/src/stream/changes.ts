import { sleep } from '../http/sleep.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions } from '../options.ts'
import type { FeedChange, Position } from './change.ts'

const PAGE = 1000

/** The first position, and when to stop. */
export interface ChangesQuery {
  /**
   * The `position` of the last change that you have; 0, the default, is the beginning. With a plain
   * `seq`, it may go unnoticed that the service has lost changes.
   */
  readonly after?: Position | number | undefined
  /**
   * Goes on for ever: asks again after so many milliseconds once everything is read. Without it,
   * the loop ends there.
   */
  readonly everyMs?: number | undefined
}

/** One page of the log. */
export interface ChangePage {
  /** The changes, in order. */
  readonly data: readonly FeedChange[]
  /** Send it as `after` to continue, now or later. */
  readonly next_after: Position
  /** Whether more changes are available at once. */
  readonly has_more: boolean
}

/** The first position, and the most changes of a page. */
export type ChangePageQuery = Pick<ChangesQuery, 'after'> & { readonly limit?: number | undefined }

/** One page of the log. */
export function changePage(send: Send, query: ChangePageQuery, options?: CallOptions): Promise<ChangePage> {
  return send('GET', '/v1/changes', { query }, options)
}

/** Every change after a position, in order. */
export async function* changesAfter(
  send: Send,
  { after = 0, everyMs }: ChangesQuery,
  options: CallOptions = {},
): AsyncGenerator<FeedChange, void, undefined> {
  for (let position = after; ; ) {
    const page = await changePage(send, { after: position, limit: PAGE }, options)
    yield* page.data
    position = page.next_after
    if (page.has_more) continue
    if (everyMs === undefined) return
    await sleep(everyMs, options.signal)
  }
}
