import type { Incident } from '../../domain/incident.ts'
import { MAX_NAMED_SITES, type NamedSites } from '../../domain/sites/named-sites.ts'
import { siteListIn } from '../../domain/sites/site.ts'
import type { Watch, WatchEvent } from '../../domain/watch.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { SiteIndex } from '../../query/sites/site-index.ts'
import type { SiteLists } from '../../store/store.ts'

/** Lists whose positions are kept between messages, of up to 150 KB each. */
const MAX_LISTS = 32

/** Says which sites of a watch's list an incident concerns, by the list as it is now. */
export class SiteNames {
  readonly #lists: Pick<SiteLists, 'positions' | 'version' | 'names'>
  readonly #kept = new BoundedCache<string, { index: SiteIndex; name: string }>(MAX_LISTS)

  constructor(lists: Pick<SiteLists, 'positions' | 'version' | 'names'>) {
    this.#lists = lists
  }

  /**
   * `document` is the body's `incident`. Undefined for a watch without a list and for a retraction,
   * which does not repeat where the incident was.
   */
  async of(
    accountId: string,
    listId: string | null,
    kind: WatchEvent,
    document: string,
  ): Promise<NamedSites | undefined> {
    if (listId === null || kind === 'incident.retracted') return undefined
    const list = await this.#read(accountId, listId)
    if (list === null) return undefined
    const { lat, lng } = JSON.parse(document) as Incident
    const near = list.index.sitesNear(lat, lng)
    const shown = near.slice(0, MAX_NAMED_SITES)
    const numbers = shown.map(({ number }) => number)
    const names = numbers.length === 0 ? [] : await this.#lists.names(listId, numbers)
    const byNumber = new Map(names.map((each) => [each.number, each]))
    // A list that was shortened since its positions were read has lost some of the names.
    const named = shown.flatMap(({ number, distanceKm, radiusKm }) => {
      const site = byNumber.get(number)
      if (site === undefined) return []
      const { name, reference } = site
      return [{ name, reference, distance_km: Math.round(distanceKm * 10) / 10, radius_km: radiusKm }]
    })
    return { id: listId, name: list.name, nearest: named, more: near.length - shown.length }
  }

  /** The same for one watch; null if there is none any more. */
  namerOf(watch: Pick<Watch, 'accountId' | 'filter'> | null) {
    return (kind: WatchEvent, document: string): Promise<NamedSites | undefined> =>
      this.of(watch?.accountId ?? '', watch && siteListIn(watch.filter.canonical), kind, document)
  }

  async #read(accountId: string, listId: string): Promise<{ index: SiteIndex; name: string } | null> {
    const kept = this.#kept.get(listId)
    if (kept !== undefined && (await this.#lists.version(accountId, listId)) === kept.index.version) return kept
    const list = await this.#lists.positions(accountId, listId)
    if (list === null) return null
    const read = { index: new SiteIndex(list.id, list.version, list.positions), name: list.name }
    this.#kept.set(listId, read)
    return read
  }
}
