import type { ArchiveView } from '../../archive/archive-view.ts'
import { CachedBody, etagOf } from './cached-body.ts'

/**
 * Stands where a response says when the node was last in step with the log. That time changes every
 * second, the response only with an event: it is cached with this, and stamped when it is sent.
 */
export const IN_STEP_PLACEHOLDER = '0000-00-00T00:00:00.000Z'

/**
 * The event up to which a response is complete. `in_step_at` comes last, where it can be stamped.
 */
export function metaOf({ head, newestPublishedAt }: Pick<ArchiveView, 'head' | 'newestPublishedAt'>) {
  return {
    as_of: new Date(head.at).toISOString(),
    seq: head.seq,
    newest_published_at: newestPublishedAt === null ? null : new Date(newestPublishedAt).toISOString(),
    in_step_at: IN_STEP_PLACEHOLDER,
  }
}

const metaTexts = new WeakMap<Parameters<typeof metaOf>[0], string>()

/** `metaOf` as JSON, worked out once for a view: all answers between two events have the same. */
export function metaJson(view: Parameters<typeof metaOf>[0]): string {
  const known = metaTexts.get(view)
  if (known !== undefined) return known
  const json = JSON.stringify(metaOf(view))
  metaTexts.set(view, json)
  return json
}

/** The position of the placeholder in a body whose `meta` comes last; null if it has none. */
export function inStepPosition(body: Buffer): number | null {
  const tail = Math.max(0, body.length - 2 * IN_STEP_PLACEHOLDER.length)
  const position = body.subarray(tail).lastIndexOf(IN_STEP_PLACEHOLDER)
  return position === -1 ? null : tail + position
}

/**
 * A body with `meta` that is sent once. The ETag leaves `meta` out: it changes with every event.
 */
export function stampedBody(content: string, view: Parameters<typeof metaOf>[0], inStepAt: string): CachedBody {
  const body = Buffer.from(`{${content},"meta":${metaJson(view)}}`)
  const cached = new CachedBody(body, etagOf(content), inStepPosition(body))
  cached.stamp(inStepAt)
  return cached
}
