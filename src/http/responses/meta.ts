import type { Archive } from '../../archive/archive.ts'

/** The event up to which a response is complete. */
export function metaOf({ head, newestPublishedAt }: Archive) {
  return {
    as_of: new Date(head.at).toISOString(),
    seq: head.seq,
    newest_published_at: newestPublishedAt === null ? null : new Date(newestPublishedAt).toISOString(),
  }
}
