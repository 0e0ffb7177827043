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
