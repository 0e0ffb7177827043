import type { ArchiveView } from '../../../archive/snapshots/archive-view.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { Places } from '../../../domain/places.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import { type Listing, parseListing } from '../../../query/listing.ts'
import { filterInAddress } from '../../../query/map-view.ts'
import { renderIncidentList } from '../../responses/incident-list.ts'

export interface NewestList {
  /** The body of `GET /v1/incidents`, with the placeholder of `in_step_at`. */
  readonly json: string
  readonly incidents: readonly Incident[]
  /** Without new events the list is the same until then. */
  readonly validUntil: number
}

/** Lists the first page of incidents that the listing selects. */
export function* newestSteps(view: ArchiveView, listing: Listing, now: number): Steps<NewestList> {
  const { body, validUntil } = yield* renderIncidentList(view, listing, now)
  const json = body.toString()
  const { data } = JSON.parse(json) as { data: Incident[] }
  return { json, incidents: data, validUntil }
}

export interface AddressListing {
  readonly listing: Listing
  /** True if the filter in the address was invalid and is ignored. */
  readonly misread: boolean
}

/** Reads the list that the map's address selects. */
export function listingFor(address: URLSearchParams, places: Places): AddressListing {
  const parse = (query: URLSearchParams) => parseListing(query, places)
  try {
    return { listing: parse(filterInAddress(address)), misread: false }
  } catch (error) {
    // A list without end is no truncated link: it is refused as everywhere.
    if (!(error instanceof Problem) || error.code === 'too_many_values') throw error
    // A truncated link still shows the map; the page says that the filter was ignored.
    return { listing: parse(filterInAddress(new URLSearchParams())), misread: true }
  }
}
