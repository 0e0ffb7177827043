import { SiteIndex } from '../../filter/sites/site-index.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { SiteLists } from '../../store/store.ts'

/** Of up to 260 KB each. */
const MAX_LISTS = 32

type Lists = Pick<SiteLists, 'positions' | 'version'>

const keptOf = new WeakMap<Lists, BoundedCache<string, SiteIndex>>()

/**
 * Reads the sites of a list; null if the account has none with this id. Lists that were asked for
 * lately are kept: indexing 10,000 sites takes three milliseconds, and every question would.
 */
export async function readSiteIndex(lists: Lists, accountId: string, listId: string): Promise<SiteIndex | null> {
  const kept = keptOf.get(lists) ?? new BoundedCache<string, SiteIndex>(MAX_LISTS)
  keptOf.set(lists, kept)
  const known = kept.get(listId)
  // The version is that of the account's own list: nobody gets another's.
  if (known !== undefined && (await lists.version(accountId, listId)) === known.version) return known
  const found = await lists.positions(accountId, listId)
  if (found === null) return null
  const index = new SiteIndex(found.id, found.version, found.positions)
  kept.set(listId, index)
  return index
}
