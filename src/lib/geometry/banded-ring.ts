import { IntervalList } from './interval-list.ts'
import { isInRing, type Ring } from './ring.ts'

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
  // Those that begin further east are crossed by the way to the east.
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
