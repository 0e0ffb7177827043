/** A ring's positions, `lng, lat, lng, lat, …`; the last repeats the first. */
export type Ring = Float64Array

/** Tests a point by the even-odd rule; a point lies in only one of two rings that share a side. */
export function isInRing(ring: Ring, lat: number, lng: number): boolean {
  let inside = false
  let beforeLng = ring[0]!
  let beforeLat = ring[1]!
  for (let at = 2; at < ring.length; at += 2) {
    const nextLng = ring[at]!
    const nextLat = ring[at + 1]!
    if (nextLat > lat !== beforeLat > lat) {
      if (lng < ((beforeLng - nextLng) * (lat - nextLat)) / (beforeLat - nextLat) + nextLng) inside = !inside
    }
    beforeLng = nextLng
    beforeLat = nextLat
  }
  return inside
}

/** The area in square degrees, positive where the ring runs counter-clockwise. */
export function signedArea(ring: Ring): number {
  let twice = 0
  for (let at = 2; at < ring.length; at += 2) twice += ring[at - 2]! * ring[at + 1]! - ring[at]! * ring[at - 1]!
  return twice / 2
}

/**
 * Returns whether two sides of the ring cross; touching is not crossing. Compares plain numbers: a
 * ring may be drawn so that all pairs of its sides must be compared.
 */
export function intersectsItself(ring: Ring): boolean {
  const count = ring.length / 2 - 1
  const west = (side: number): number => Math.min(ring[2 * side]!, ring[2 * side + 2]!)
  const sides = Int32Array.from({ length: count }, (_, side) => side).sort((one, other) => west(one) - west(other))
  const wests = Float64Array.from(sides, west)
  for (let at = 0; at < count; at++) {
    const one = sides[at]!
    const east = Math.max(ring[2 * one]!, ring[2 * one + 2]!)
    for (let next = at + 1; next < count && wests[next]! <= east; next++) {
      const other = sides[next]!
      if (!cross(ring, 2 * one, 2 * other)) continue
      // Neighbours share a corner, so they only touch.
      const apart = Math.abs(one - other)
      if (apart > 1 && apart < count - 1) return true
    }
  }
  return false
}

/** The sides begin at these indexes of the ring. */
function cross(ring: Ring, one: number, other: number): boolean {
  return isSeparatedBy(ring, one, other) && isSeparatedBy(ring, other, one)
}

/** Tells whether the ends of `other` lie on different sides of the line through `side`. */
function isSeparatedBy(ring: Ring, side: number, other: number): boolean {
  const fromX = ring[side]!
  const fromY = ring[side + 1]!
  const alongX = ring[side + 2]! - fromX
  const alongY = ring[side + 3]! - fromY
  const start = alongX * (ring[other + 1]! - fromY) - alongY * (ring[other]! - fromX)
  const end = alongX * (ring[other + 3]! - fromY) - alongY * (ring[other + 2]! - fromX)
  return (start > 0 && end < 0) || (start < 0 && end > 0)
}

const BANDS = 16
/** For fewer positions, looking at each side is as fast. */
const MIN_POSITIONS = 24
/** Exceeds the rounding error of where a side crosses a parallel. */
const MARGIN = 1e-9

/** The sides of a ring between two parallels. */
interface Band {
  /** Sides that reach from one parallel to the other, by their longitudes between the two. */
  readonly crossing: IntervalList
  /** Sides that end between the parallels, as indexes of their first position. */
  readonly ending: Int32Array
}

/**
 * Returns `isInRing` for many points of one ring: the same answers, most of them without a look at
 * each side.
 */
export function ringTester(ring: Ring): (lat: number, lng: number) => boolean {
  if (ring.length / 2 < MIN_POSITIONS) return (lat, lng) => isInRing(ring, lat, lng)
  const parallels = parallelsOf(ring)
  const bands: (Band | undefined)[] = []
  return (lat, lng) => {
    const number = bandAt(parallels, lat)
    if (number < 0) return false
    bands[number] ??= bandOf(ring, parallels[number]!, parallels[number + 1]!)
    return isInBand(ring, bands[number], lat, lng)
  }
}

/** Latitudes of the ring's positions, so chosen that about as many lie in each band. */
function parallelsOf(ring: Ring): Float64Array {
  const latitudes = Float64Array.from({ length: ring.length / 2 }, (_, at) => ring[2 * at + 1]!).sort()
  const last = latitudes.length - 1
  const chosen = Array.from({ length: BANDS + 1 }, (_, band) => latitudes[Math.round((band * last) / BANDS)]!)
  return Float64Array.from(new Set(chosen))
}

/** Returns -1 for a latitude that no side crosses. */
function bandAt(parallels: Float64Array, lat: number): number {
  const last = parallels.length - 1
  if (!(lat >= parallels[0]! && lat < parallels[last]!)) return -1
  let low = 0
  let high = last
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (parallels[middle]! <= lat) low = middle
    else high = middle
  }
  return low
}

function bandOf(ring: Ring, south: number, north: number): Band {
  const lows: number[] = []
  const highs: number[] = []
  const sides: number[] = []
  const ending: number[] = []
  for (let at = 0; at + 2 < ring.length; at += 2) {
    const least = Math.min(ring[at + 1]!, ring[at + 3]!)
    const most = Math.max(ring[at + 1]!, ring[at + 3]!)
    if (least >= north || most <= south || least === most) continue
    if (least > south || most < north) ending.push(at)
    else {
      const [one, other] = [longitudeAt(ring, at, south), longitudeAt(ring, at, north)]
      lows.push(Math.min(one, other) - MARGIN)
      highs.push(Math.max(one, other) + MARGIN)
      sides.push(at)
    }
  }
  return { crossing: new IntervalList(lows, highs, sides), ending: Int32Array.from(ending) }
}

function isInBand(ring: Ring, { crossing, ending }: Band, lat: number, lng: number): boolean {
  const reached = crossing.countFrom(lng)
  // Sides that begin further east are crossed by the way to the east.
  let inside = ((crossing.items.length - reached) & 1) === 1
  for (let at = crossing.nextReaching(lng, reached); at >= 0; at = crossing.nextReaching(lng, at))
    if (lng < longitudeAt(ring, crossing.items[at]!, lat)) inside = !inside
  for (const at of ending)
    if (ring[at + 3]! > lat !== ring[at + 1]! > lat && lng < longitudeAt(ring, at, lat)) inside = !inside
  return inside
}

/** As `isInRing` calculates it, to the last bit. */
function longitudeAt(ring: Ring, at: number, lat: number): number {
  const nextLng = ring[at + 2]!
  const nextLat = ring[at + 3]!
  return ((ring[at]! - nextLng) * (lat - nextLat)) / (ring[at + 1]! - nextLat) + nextLng
}

/** Intervals of numbers, to find those that a number may lie in without looking at all of them. */
export class IntervalList {
  /** The item of each interval, in the order of the lower ends. */
  readonly items: Int32Array
  readonly #lows: Float64Array
  readonly #highs: Float64Array
  /** The highest upper end up to each interval. */
  readonly #highest: Float64Array

  constructor(lows: readonly number[], highs: readonly number[], items: readonly number[]) {
    const order = Int32Array.from(lows.keys()).sort((one, other) => lows[one]! - lows[other]!)
    this.items = order.map((at) => items[at]!)
    this.#lows = Float64Array.from(order, (at) => lows[at]!)
    this.#highs = Float64Array.from(order, (at) => highs[at]!)
    let highest = Number.NEGATIVE_INFINITY
    this.#highest = this.#highs.map((high) => {
      highest = Math.max(highest, high)
      return highest
    })
  }

  /** The number of intervals that begin at `value` or below it; they come first. */
  countFrom(value: number): number {
    let low = 0
    let high = this.#lows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#lows[middle]! <= value) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The position before `end` of the next interval that reaches `value`; -1 if there is none. */
  nextReaching(value: number, end: number): number {
    for (let at = end - 1; at >= 0 && this.#highest[at]! >= value; at--) if (this.#highs[at]! >= value) return at
    return -1
  }
}
