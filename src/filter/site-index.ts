import { PER_DEGREE, PER_KM, siteListVersion, unpackPositions } from '../domain/sites.ts'
import { type Box, boxAround, distanceKm, KM_PER_DEGREE } from '../lib/geometry.ts'

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

/** Sites in a leaf: smaller leaves need more memory for boxes than they save time. */
const LEAF = 16
/** Of a box: south, west, north, east, and the largest radius in it. */
const FIELDS = 5
const DEGREE = Math.PI / 180
/** Above the largest number of a site. */
const KEY_STEP = 2 ** 16
/** Squared millionths of a degree in a squared metre. */
const SCALE = (PER_DEGREE / (KM_PER_DEGREE * PER_KM)) ** 2
/**
 * Relative errors of squared distances on a plane, within the largest radius and the latitudes that
 * sites may have: to a site with the width of a degree midway, to a box with that at the point.
 */
const SITE_ERROR = 0.001
const BOX_ERROR = 0.02
const SITE_REACH = (1 + SITE_ERROR) * SCALE
const SITE_SURE = (1 - SITE_ERROR) * SCALE
const BOX_REACH = (1 + BOX_ERROR) * SCALE

/** `isSure` if the point lies within the radius by more than the error of the plane. */
export type SiteCandidate = (at: number, isSure: boolean) => boolean

/**
 * Sites in strips from west to east, each cut into leaves from south to north. Each strip and leaf
 * has the box of its positions and the largest radius: one site with a large radius does not make a
 * point be compared with all the others.
 */
export class SiteTree {
  /** Latitude, longitude and radius of each site as they are kept, leaf by leaf. */
  readonly positions: Int32Array
  /** The number of each of these sites in the list. */
  readonly numbers: Uint16Array
  readonly #leaves: Int32Array
  readonly #strips: Int32Array
  readonly #leavesPerStrip: number

  /** `given` has latitude, longitude and radius of each site, in the order of the list. */
  constructor(given: Int32Array) {
    const size = given.length / 3
    this.#leavesPerStrip = Math.max(1, Math.ceil(Math.sqrt(size / LEAF)))
    this.numbers = orderOf(given, this.#leavesPerStrip * LEAF)
    this.positions = new Int32Array(given.length)
    for (let at = 0; at < size; at++)
      for (let field = 0; field < 3; field++) this.positions[3 * at + field] = given[3 * this.numbers[at]! + field]!
    this.#leaves = boxesOf(this.positions, LEAF)
    this.#strips = boxesOf(this.positions, this.#leavesPerStrip * LEAF)
  }

  get bytes(): number {
    const { positions, numbers } = this
    return positions.byteLength + numbers.byteLength + this.#leaves.byteLength + this.#strips.byteLength
  }

  /**
   * Calls `found` with each site within whose radius the point may lie, until it returns true;
   * returns whether it did.
   */
  visit(lat: number, lng: number, found: SiteCandidate): boolean {
    const y = lat * PER_DEGREE
    const x = lng * PER_DEGREE
    const shrink = Math.cos(lat * DEGREE)
    // The amount by which a degree is narrower half a millionth of a degree further north.
    const slope = (Math.sin(lat * DEGREE) * DEGREE) / PER_DEGREE / 2
    const { positions } = this
    const leaves = this.#leaves.length / FIELDS
    const strips = this.#strips.length / FIELDS
    for (let strip = 0; strip < strips; strip++) {
      if (!reaches(this.#strips, strip, y, x, shrink)) continue
      const lastLeaf = Math.min(leaves, (strip + 1) * this.#leavesPerStrip)
      for (let leaf = strip * this.#leavesPerStrip; leaf < lastLeaf; leaf++) {
        if (!reaches(this.#leaves, leaf, y, x, shrink)) continue
        const last = Math.min(positions.length, (leaf + 1) * LEAF * 3)
        for (let from = leaf * LEAF * 3; from < last; from += 3) {
          const up = positions[from]! - y
          const across = (positions[from + 1]! - x) * (shrink - slope * up)
          const radius = positions[from + 2]!
          const squared = up * up + across * across
          if (squared > radius * radius * SITE_REACH) continue
          if (found(from / 3, squared < radius * radius * SITE_SURE)) return true
        }
      }
    }
    return false
  }
}

/** The numbers of the sites by longitude, and within each strip of `perStrip` by latitude. */
function orderOf(given: Int32Array, perStrip: number): Uint16Array {
  const numbers = new Uint16Array(given.length / 3)
  for (let number = 0; number < numbers.length; number++) numbers[number] = number
  sortBy(numbers, given, 1)
  for (let from = 0; from < numbers.length; from += perStrip) sortBy(numbers.subarray(from, from + perStrip), given, 0)
  return numbers
}

/**
 * Sorts by `field` and number as one value: a function that compares two takes several times as
 * long.
 */
function sortBy(numbers: Uint16Array, given: Int32Array, field: 0 | 1): void {
  const keys = new Float64Array(numbers.length)
  for (let at = 0; at < keys.length; at++) keys[at] = given[3 * numbers[at]! + field]! * KEY_STEP + numbers[at]!
  keys.sort()
  for (let at = 0; at < keys.length; at++) numbers[at] = keys[at]! - Math.floor(keys[at]! / KEY_STEP) * KEY_STEP
}

/** The boxes of every `count` sites in a row. */
function boxesOf(positions: Int32Array, count: number): Int32Array {
  const boxes = new Int32Array(Math.ceil(positions.length / 3 / count) * FIELDS)
  for (let box = 0; box < boxes.length / FIELDS; box++) {
    const sites = positions.subarray(box * count * 3, (box + 1) * count * 3)
    let [south, west, north, east, radius] = [sites[0]!, sites[1]!, sites[0]!, sites[1]!, 0]
    for (let from = 0; from < sites.length; from += 3) {
      south = Math.min(south, sites[from]!)
      west = Math.min(west, sites[from + 1]!)
      north = Math.max(north, sites[from]!)
      east = Math.max(east, sites[from + 1]!)
      radius = Math.max(radius, sites[from + 2]!)
    }
    boxes.set([south, west, north, east, radius], box * FIELDS)
  }
  return boxes
}

/** Tells whether the point lies within the largest radius of the box, or may do so. */
function reaches(boxes: Int32Array, box: number, y: number, x: number, shrink: number): boolean {
  const from = box * FIELDS
  const up = Math.max(boxes[from]! - y, 0, y - boxes[from + 2]!)
  const across = Math.max(boxes[from + 1]! - x, 0, x - boxes[from + 3]!) * shrink
  const radius = boxes[from + 4]!
  return up * up + across * across <= radius * radius * BOX_REACH
}
