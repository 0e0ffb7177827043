import type { Incident } from '../../domain/incident.ts'
import { MAX_NAMED_SITES, type NamedSite, type NamedSites, siteListIn } from '../../domain/sites.ts'
import type { Watch, WatchEvent } from '../../domain/watch.ts'
import { type NearSite, SiteIndex } from '../../filter/site-index.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { SiteLists } from '../../store/store.ts'

/** Lists whose positions are kept between messages, of up to 150 KB each. */
const MAX_LISTS = 32
/** A list is replaced a few times a minute at most. */
const MAX_TRIES = 3

type NameAndReference = Pick<NamedSite, 'name' | 'reference'>

/** Says which sites of a watch's list an incident concerns, by the list as it is now. */
export class SiteNames {
  readonly #lists: Pick<SiteLists, 'positions' | 'version' | 'names'>
  readonly #kept = new BoundedCache<string, { index: SiteIndex; name: string }>(MAX_LISTS)

  constructor(lists: Pick<SiteLists, 'positions' | 'version' | 'names'>) {
    this.#lists = lists
  }

  /**
   * `incident` is the JSON text of the incident as a whole. A retraction names sites without their
   * distances: where the incident was is not repeated. Undefined for a watch without a list.
   */
  async of(
    accountId: string,
    listId: string | null,
    kind: WatchEvent,
    incident: string,
  ): Promise<NamedSites | undefined> {
    if (listId === null) return undefined
    // The retraction of the made-up incident of a test has no position, and concerns no site.
    const { lat = Number.NaN, lng = Number.NaN } = JSON.parse(incident) as Partial<Incident>
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const list = await this.#read(accountId, listId)
      if (list === null) return undefined
      const { nearest, count } = list.index.sitesNear(lat, lng, MAX_NAMED_SITES)
      const names = await this.#namesOf(list.index, nearest)
      // The sites were replaced since their positions were read.
      if (names === null) continue
      const named = nearest.map(({ number, distanceKm, radiusKm }) => ({
        ...names.get(number)!,
        distance_km: Math.round(distanceKm * 10) / 10,
        radius_km: radiusKm,
      }))
      const shown = kind === 'incident.retracted' ? withoutDistances(nearest, named) : named
      return { id: listId, name: list.name, nearest: shown, more: count - nearest.length }
    }
    return undefined
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

  /** Null if the list has another version. */
  async #namesOf(index: SiteIndex, near: readonly NearSite[]): Promise<ReadonlyMap<number, NameAndReference> | null> {
    if (near.length === 0) return new Map()
    const numbers = near.map(({ number }) => number)
    const found = await this.#lists.names(index.id, index.version, numbers)
    if (found.length < near.length) return null
    return new Map(found.map(({ number, name, reference }) => [number, { name, reference }]))
  }
}

/** In the order of the list: the order of distances would tell of the place too. */
function withoutDistances(nearest: readonly NearSite[], named: readonly NamedSite[]): NamedSite[] {
  return named
    .map(({ distance_km: _, ...site }, at) => ({ site, number: nearest[at]!.number }))
    .sort((one, other) => one.number - other.number)
    .map(({ site }) => site)
}
