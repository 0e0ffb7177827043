import { PER_DEGREE, PER_KM, unpackPositions } from '../../domain/sites/positions.ts'
import { siteListVersion } from '../../domain/sites/site.ts'
import { type Box, boxAround, distanceKm, KM_PER_DEGREE } from '../../lib/geometry/geometry.ts'

/** A site within whose radius a point lies. */
export interface NearSite {
  /** Its place in the list, from 0. */
  readonly number: number
  readonly distanceKm: number
  readonly radiusKm: number
}

/** More rows and columns than this cost more memory than they save time. */
const MAX_SIDE = 64
const DEGREE = Math.PI / 180
/**
 * Exceeds the relative error of squared distances on a plane around the point, within the largest
 * radius and the latitudes that sites may have.
 */
const PLANE_ERROR = 0.02

/**
 * One version of a list of sites, in a grid over the box around them: a point is compared only with
 * the sites of the cells that the largest radius reaches. A list of 10,000 takes about 150 KB.
 */
export class SiteIndex {
  readonly id: string
  readonly version: number
  /** Holds every point within the radius of a site. */
  readonly box: Box
  /** Latitude, longitude and radius of each site as they are kept, in the order of cells, row by row. */
  readonly #positions: Int32Array
  /** The number of each of these sites in the list. */
  readonly #numbers: Uint16Array
  /** Where the sites of each cell begin. */
  readonly #starts: Uint16Array
  readonly #side: number
  /** Of the positions, without their radii. */
  readonly #bounds: Box
  readonly #largestKm: number

  constructor(id: string, version: number, packed: Uint8Array) {
    this.id = id
    this.version = version
    const positions = unpackPositions(packed)
    const size = positions.length / 3
    const bounds = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
    const box = { ...bounds }
    let largestKm = 0
    for (let at = 0; at < positions.length; at += 3) {
      const lat = positions[at]! / PER_DEGREE
      const lng = positions[at + 1]! / PER_DEGREE
      const radiusKm = positions[at + 2]! / PER_KM
      extend(bounds, { west: lng, south: lat, east: lng, north: lat })
      extend(box, boxAround(lat, lng, radiusKm))
      largestKm = Math.max(largestKm, radiusKm)
    }
    this.#bounds = bounds
    this.box = box
    this.#largestKm = largestKm
    this.#side = Math.max(1, Math.min(MAX_SIDE, Math.ceil(Math.sqrt(size))))
    this.#starts = new Uint16Array(this.#side * this.#side + 1)
    const cells = Uint16Array.from({ length: size }, (_, number) => this.#cellOf(positions, number))
    for (const cell of cells) this.#starts[cell + 1]!++
    for (let cell = 1; cell < this.#starts.length; cell++) this.#starts[cell]! += this.#starts[cell - 1]!
    const next = this.#starts.slice()
    this.#positions = new Int32Array(positions.length)
    this.#numbers = new Uint16Array(size)
    for (let number = 0; number < size; number++) {
      const at = next[cells[number]!]!++
      this.#numbers[at] = number
      this.#positions.set(positions.subarray(3 * number, 3 * number + 3), 3 * at)
    }
  }

  /** As a canonical filter names it. */
  get text(): string {
    return siteListVersion(this.id, this.version)
  }

  get size(): number {
    return this.#numbers.length
  }

  /** The bytes that it keeps, without the objects around them. */
  get bytes(): number {
    return this.#positions.byteLength + this.#numbers.byteLength + this.#starts.byteLength
  }

  /** Tells whether the point lies within the radius of a site: the same test as of `near`. */
  has(lat: number, lng: number): boolean {
    return this.#visit(lat, lng, null)
  }

  /** All sites within whose radius the point lies, nearest first. */
  sitesNear(lat: number, lng: number): NearSite[] {
    const found: NearSite[] = []
    this.#visit(lat, lng, found)
    return found.sort((one, other) => one.distanceKm - other.distanceKm || one.number - other.number)
  }

  /** Collects the sites within whose radius the point lies; with `found` null it stops at the first. */
  #visit(lat: number, lng: number, found: NearSite[] | null): boolean {
    const { west, south, east, north } = boxAround(lat, lng, this.#largestKm)
    const bounds = this.#bounds
    if (west > bounds.east || east < bounds.west || south > bounds.north || north < bounds.south) return false
    const positions = this.#positions
    const shrink = Math.cos(lat * DEGREE)
    const left = this.#column(west)
    const right = this.#column(east)
    for (let row = this.#row(south), last = this.#row(north); row <= last; row++) {
      const end = this.#starts[row * this.#side + right + 1]!
      for (let at = this.#starts[row * this.#side + left]!; at < end; at++) {
        const siteLat = positions[3 * at]! / PER_DEGREE
        const siteLng = positions[3 * at + 1]! / PER_DEGREE
        const radiusKm = positions[3 * at + 2]! / PER_KM
        const up = siteLat - lat
        const across = (siteLng - lng) * shrink
        const share = ((up * up + across * across) * KM_PER_DEGREE * KM_PER_DEGREE) / (radiusKm * radiusKm)
        if (share > 1 + PLANE_ERROR) continue
        if (found === null && share < 1 - PLANE_ERROR) return true
        const distance = distanceKm(siteLat, siteLng, lat, lng)
        if (distance > radiusKm) continue
        if (found === null) return true
        found.push({ number: this.#numbers[at]!, distanceKm: distance, radiusKm })
      }
    }
    return false
  }

  #cellOf(positions: Int32Array, number: number): number {
    const row = this.#row(positions[3 * number]! / PER_DEGREE)
    return row * this.#side + this.#column(positions[3 * number + 1]! / PER_DEGREE)
  }

  #column(lng: number): number {
    return this.#step(lng, this.#bounds.west, this.#bounds.east)
  }

  #row(lat: number): number {
    return this.#step(lat, this.#bounds.south, this.#bounds.north)
  }

  /** Rises with the value, so that a range of values is a range of steps. */
  #step(value: number, from: number, to: number): number {
    if (value <= from || to === from) return 0
    return Math.min(this.#side - 1, Math.floor(((value - from) / (to - from)) * this.#side))
  }
}

function extend(box: { west: number; south: number; east: number; north: number }, other: Box): void {
  box.west = Math.min(box.west, other.west)
  box.south = Math.min(box.south, other.south)
  box.east = Math.max(box.east, other.east)
  box.north = Math.max(box.north, other.north)
}
