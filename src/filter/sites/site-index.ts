import { PER_DEGREE, PER_KM, siteListVersion, unpackPositions } from '../../domain/sites.ts'
import { type Box, boxAround, distanceKm } from '../../lib/geometry.ts'
import { SiteTree } from './site-tree.ts'

/** A site within whose radius a point lies. */
export interface NearSite {
  /** Its place in the list, from 0. */
  readonly number: number
  readonly distanceKm: number
  readonly radiusKm: number
}

/** One version of a list of sites, for matching. A list of 10,000 takes about 150 KB. */
export class SiteIndex {
  readonly id: string
  readonly version: number
  /** Holds every point within the radius of a site. */
  readonly box: Box
  readonly #tree: SiteTree

  constructor(id: string, version: number, packed: Uint8Array) {
    this.id = id
    this.version = version
    const positions = unpackPositions(packed)
    this.box = boxAroundAll(positions)
    this.#tree = new SiteTree(positions)
  }

  /** As a canonical filter names it. */
  get text(): string {
    return siteListVersion(this.id, this.version)
  }

  get size(): number {
    return this.#tree.numbers.length
  }

  /** The bytes that it keeps, without the objects around them. */
  get bytes(): number {
    return this.#tree.bytes
  }

  /** Tells whether the point lies within the radius of a site: the same test as of `near`. */
  has(lat: number, lng: number): boolean {
    return this.#tree.visit(lat, lng, (at, isSure) => isSure || this.#distanceKm(at, lat, lng) <= this.#radiusKm(at))
  }

  /**
   * The `most` nearest sites within whose radius the point lies, nearest first, and how many there
   * are.
   */
  sitesNear(lat: number, lng: number, most: number): { nearest: NearSite[]; count: number } {
    const nearest: NearSite[] = []
    let count = 0
    this.#tree.visit(lat, lng, (at) => {
      const site = {
        number: this.#tree.numbers[at]!,
        distanceKm: this.#distanceKm(at, lat, lng),
        radiusKm: this.#radiusKm(at),
      }
      if (site.distanceKm > site.radiusKm) return false
      count++
      // Kept in order: sorting all would cost milliseconds where thousands of sites are near.
      let place = nearest.length
      while (place > 0 && isNearer(site, nearest[place - 1]!)) place--
      if (place < most) nearest.splice(place, 0, site)
      if (nearest.length > most) nearest.pop()
      return false
    })
    return { nearest, count }
  }

  #distanceKm(at: number, lat: number, lng: number): number {
    const { positions } = this.#tree
    return distanceKm(positions[3 * at]! / PER_DEGREE, positions[3 * at + 1]! / PER_DEGREE, lat, lng)
  }

  #radiusKm(at: number): number {
    return this.#tree.positions[3 * at + 2]! / PER_KM
  }
}

function isNearer(one: NearSite, other: NearSite): boolean {
  return one.distanceKm - other.distanceKm < 0 || (one.distanceKm === other.distanceKm && one.number < other.number)
}

function boxAroundAll(positions: Int32Array): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < positions.length; at += 3) {
    const box = boxAround(positions[at]! / PER_DEGREE, positions[at + 1]! / PER_DEGREE, positions[at + 2]! / PER_KM)
    west = Math.min(west, box.west)
    south = Math.min(south, box.south)
    east = Math.max(east, box.east)
    north = Math.max(north, box.north)
  }
  return { west, south, east, north }
}
