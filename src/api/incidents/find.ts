import type { Archive } from '../../archive/archive.ts'
import { Problem } from '../../domain/errors.ts'

/** Returns the slot of a public incident; throws `merged`, `retracted` or `not_found`. */
export function findPublicSlot(archive: Archive, id: string): number {
  const slot = archive.slotOf(id)
  if (slot !== null) return slot
  const into = archive.mergedInto(id)
  if (into !== null)
    throw new Problem('merged', `${id} was merged into ${into}.`, { headers: { location: `/v1/incidents/${into}` } })
  if (archive.isRetracted(id))
    throw new Problem('retracted', `${id} was published and then retracted. Delete your copy.`)
  throw new Problem('not_found', 'There is no incident with this id.')
}

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
