import type { Archive } from '../../archive/archive.ts'

/**
 * Longer chains of merges are not followed; they cannot be circles, but a fault must not hang a
 * request.
 */
const MAX_MERGES = 20

/** The id of the incident that an incident has become, if it was merged; its own otherwise. */
export function survivingId(archive: Pick<Archive, 'mergedInto'>, id: string): string {
  let surviving = id
  for (let count = 0; count < MAX_MERGES; count++) {
    const into = archive.mergedInto(surviving)
    if (into === null) break
    surviving = into
  }
  return surviving
}
