import type { Archive } from '../../archive/archive.ts'
import { Problem } from '../../domain/errors.ts'

/** Where the archive has a public incident; throws a `Problem` where it was retracted or never was. */
export function findPublicSlot(archive: Archive, id: string): number {
  const slot = archive.slotOf(id)
  if (slot !== null) return slot
  if (archive.isRetracted(id))
    throw new Problem('retracted', `${id} was published and then retracted. Delete your copy.`)
  throw new Problem('not_found', 'There is no incident with this id.')
}
