import type { Asker } from '../../../archive/slices/sliced-queries.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Incident } from '../../../domain/incident.ts'
import { type Listing, parseListing } from '../../../query/listing.ts'
import { filterInAddress } from '../../../query/map-view.ts'
import { renderIncidentList } from '../../responses/incident-list.ts'
import { stampedBody } from '../../responses/meta.ts'
import type { Environment, Services } from '../../services.ts'

type Shown = Pick<Services, 'archive' | 'freshness'>

export interface NewestPage {
  /** The body of `GET /v1/incidents`. */
  readonly json: string
  readonly incidents: readonly Incident[]
  /** True if the filter in the address was invalid and is ignored. */
  readonly misread: boolean
}

/** Renders the first page of the list that the map's address selects. */
export async function newestFor(
  { archive, freshness }: Shown,
  address: URLSearchParams,
  { geography, clock, queries }: Pick<Environment, 'geography' | 'clock' | 'queries'>,
  asker: Asker,
): Promise<NewestPage> {
  const { listing, misread } = listingIn(address, (query) => parseListing(query, geography.places))
  const { body } = await queries.run(archive, asker, (view) => renderIncidentList(view, listing, clock()))
  const json = stampedBody(body, freshness.stamp).body.toString()
  const { data } = JSON.parse(json) as { data: Incident[] }
  return { json, incidents: data, misread }
}

function listingIn(
  address: URLSearchParams,
  parse: (query: URLSearchParams) => Listing,
): { listing: Listing; misread: boolean } {
  try {
    return { listing: parse(filterInAddress(address)), misread: false }
  } catch (error) {
    // A list without end is no truncated link: it is refused as everywhere.
    if (!(error instanceof Problem) || error.code === 'too_many_values') throw error
    // A truncated link still shows the map; the page says that the filter was ignored.
    return { listing: parse(filterInAddress(new URLSearchParams())), misread: true }
  }
}
