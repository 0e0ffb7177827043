import type { Site } from './site.ts'

/** The most sites that one message names. */
export const MAX_NAMED_SITES = 20

/** What a message says of the sites within whose radius its incident lies. */
export interface NamedSites {
  /** The list. */
  readonly id: string
  readonly name: string
  /** Nearest first, at most `MAX_NAMED_SITES`. */
  readonly nearest: readonly NamedSite[]
  /** How many others are concerned. */
  readonly more: number
}

export interface NamedSite extends Pick<Site, 'name' | 'reference'> {
  readonly distance_km: number
  readonly radius_km: number
}
