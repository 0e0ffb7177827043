/**
 * A place that an account cares about, with the distance within which it wants to hear of
 * incidents.
 */
export interface Site {
  readonly name: string
  /** Degrees, with six decimals: about 11 cm. */
  readonly latitude: number
  readonly longitude: number
  /** With three decimals. */
  readonly radiusKm: number
  /** The account's own number or code for it. */
  readonly reference: string | null
}

/** A named list of sites, without the sites. */
export interface SiteList {
  readonly id: string
  readonly accountId: string
  /** Unique within the account. */
  readonly name: string
  /** The number of its sites. */
  readonly size: number
  /** Counts the changes of its sites, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export const MAX_SITES = 10_000
export const MAX_SITE_RADIUS_KM = 100
export const MAX_SITE_TEXT = 100

/** New sites rewrite the filters of all watches that use the list, in one transaction. */
export const MAX_WATCHES_PER_SITE_LIST = 1000

/** A list at one version, as canonical filters name it: other sites make another filter. */
export function siteListVersion(id: string, version: number): string {
  return `${id}@${version}`
}

/** The id of the list that a canonical filter of a watch names; null if it names none. */
export function siteListIn(canonicalFilter: string): string | null {
  // Most filters name none, and a start with a million watches parses none of those for it.
  if (!canonicalFilter.includes('"sites":')) return null
  const { sites } = JSON.parse(canonicalFilter) as { sites?: string }
  return sites?.split('@')[0] ?? null
}

/** Puts a version of a list into a canonical filter, in place of the one that it has. */
export function withSiteList(canonicalFilter: string, id: string, version: number): string {
  const { sites: _, ...rest } = JSON.parse(canonicalFilter) as { sites?: string }
  return JSON.stringify({ ...rest, sites: siteListVersion(id, version) })
}

/** Degrees in millionths, kilometres in metres. */
export const PER_DEGREE = 1_000_000
export const PER_KM = 1000
const NUMBERS = 3
const BYTES = 4

type Position = Pick<Site, 'latitude' | 'longitude' | 'radiusKm'>

/** Rounds a position to what is kept of it. */
export function keptPosition({ latitude, longitude, radiusKm }: Position): Position {
  return {
    latitude: Math.round(latitude * PER_DEGREE) / PER_DEGREE,
    longitude: Math.round(longitude * PER_DEGREE) / PER_DEGREE,
    radiusKm: Math.max(1, Math.round(radiusKm * PER_KM)) / PER_KM,
  }
}

/**
 * Packs the positions of sites in 12 bytes each, in their order: latitude, longitude and radius as
 * little-endian integers. Ten thousand rows would take a hundred times as long to read.
 */
export function packPositions(sites: readonly Position[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(sites.length * NUMBERS * BYTES))
  sites.forEach(({ latitude, longitude, radiusKm }, at) => {
    const offset = at * NUMBERS * BYTES
    view.setInt32(offset, Math.round(latitude * PER_DEGREE), true)
    view.setInt32(offset + BYTES, Math.round(longitude * PER_DEGREE), true)
    view.setInt32(offset + 2 * BYTES, Math.round(radiusKm * PER_KM), true)
  })
  return new Uint8Array(view.buffer)
}

/** The numbers as packed: latitude, longitude and radius of each site. */
export function unpackPositions(packed: Uint8Array): Int32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const numbers = new Int32Array(packed.byteLength / BYTES)
  for (let at = 0; at < numbers.length; at++) numbers[at] = view.getInt32(at * BYTES, true)
  return numbers
}

/** The positions of `count` sites from number `from` on. */
export function positionsFrom(packed: Uint8Array, from: number, count: number): Position[] {
  const numbers = unpackPositions(packed.subarray(from * NUMBERS * BYTES, (from + count) * NUMBERS * BYTES))
  return Array.from({ length: numbers.length / NUMBERS }, (_, at) => ({
    latitude: numbers[NUMBERS * at]! / PER_DEGREE,
    longitude: numbers[NUMBERS * at + 1]! / PER_DEGREE,
    radiusKm: numbers[NUMBERS * at + 2]! / PER_KM,
  }))
}

/** The most sites that one message names. */
export const MAX_NAMED_SITES = 20

/** The sites that a message names: those within whose radius its incident lies. */
export interface NamedSites {
  /** The list. */
  readonly id: string
  readonly name: string
  /** Nearest first, at most `MAX_NAMED_SITES`; those of a retraction in the order of the list. */
  readonly nearest: readonly NamedSite[]
  /** The number of others that are concerned. */
  readonly more: number
}

export interface NamedSite extends Pick<Site, 'name' | 'reference'> {
  /** Absent in a retraction, which does not repeat where the incident was. */
  readonly distance_km?: number
  readonly radius_km: number
}

/** The sites of several lists in one message; each counts once for each list that has it. */
export function mergedSites(lists: readonly (NamedSites | undefined)[]): NamedSites | undefined {
  const given = lists.filter((list) => list !== undefined)
  if (given.length < 2) return given[0]
  const all = given.flatMap(({ nearest }) => nearest)
  // A retraction has no distances, and keeps the order of the lists.
  const inOrder = all.toSorted((one, other) => (one.distance_km ?? 0) - (other.distance_km ?? 0))
  const nearest = inOrder.slice(0, MAX_NAMED_SITES)
  const more = given.reduce((sum, list) => sum + list.more, all.length - nearest.length)
  return { ...given[0]!, nearest, more }
}
