import type { Site } from './site.ts'

/** The most sites that one message names. */
export const MAX_NAMED_SITES = 20

/** What a message says of the sites within whose radius its incident lies. */
export interface NamedSites {
  /** The list. */
  readonly id: string
  readonly name: string
  /** Nearest first, at most `MAX_NAMED_SITES`; those of a retraction in the order of the list. */
  readonly nearest: readonly NamedSite[]
  /** How many others are concerned. */
  readonly more: number
}

export interface NamedSite extends Pick<Site, 'name' | 'reference'> {
  /** Absent in a retraction, which does not repeat where the incident was. */
  readonly distance_km?: number
  readonly radius_km: number
}
