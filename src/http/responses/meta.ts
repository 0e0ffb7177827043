import type { ArchiveView } from '../../archive/snapshots/archive-view.ts'
import { CachedBody } from './cached-body.ts'

/**
 * Stands where a response says when the node was last in step with the log. That time changes every
 * second, the response only with an event: it is cached with this, and stamped when it is sent.
 */
export const IN_STEP_PLACEHOLDER = '0000-00-00T00:00:00.000Z'

/** The event up to which a response is complete. `in_step_at` comes last, where it can be stamped. */
export function metaOf({ head, newestPublishedAt }: Pick<ArchiveView, 'head' | 'newestPublishedAt'>) {
  return {
    as_of: new Date(head.at).toISOString(),
    seq: head.seq,
    newest_published_at: newestPublishedAt === null ? null : new Date(newestPublishedAt).toISOString(),
    in_step_at: IN_STEP_PLACEHOLDER,
  }
}

/** The position of the placeholder in a body whose `meta` comes last; null if it has none. */
export function inStepPosition(body: Buffer): number | null {
  const tail = Math.max(0, body.length - 2 * IN_STEP_PLACEHOLDER.length)
  const position = body.subarray(tail).lastIndexOf(IN_STEP_PLACEHOLDER)
  return position === -1 ? null : tail + position
}

/** A body with `meta` that is sent once. */
export function stampedBody(body: Buffer, inStepAt: string): CachedBody {
  const cached = new CachedBody(body, undefined, inStepPosition(body))
  cached.stamp(inStepAt)
  return cached
}
