import { Problem } from '../../../domain/errors.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { Places } from '../../../domain/places.ts'
import { parseListing } from '../../../query/listing.ts'
import { filterInAddress } from '../../../query/map-view.ts'
import { renderIncidentList } from '../../responses/incident-list.ts'
import { stampedBody } from '../../responses/meta.ts'
import type { Services } from '../../services.ts'

type Shown = Pick<Services, 'archive' | 'freshness'>

export interface NewestPage {
  /** The body of `GET /v1/incidents`. */
  readonly json: string
  readonly incidents: readonly Incident[]
  /** True if the filter in the address was invalid and is ignored. */
  readonly misread: boolean
}

/** Renders the first page of the list that the map's address selects. */
export function newestFor(services: Shown, address: URLSearchParams, places: Places, now: number): NewestPage {
  try {
    return pageFor(services, filterInAddress(address), places, now, false)
  } catch (error) {
    // A list without end is no truncated link: it is refused as everywhere.
    if (!(error instanceof Problem) || error.code === 'too_many_values') throw error
    // A truncated link still shows the map; the page says that the filter was ignored.
    return pageFor(services, filterInAddress(new URLSearchParams()), places, now, true)
  }
}

function pageFor(
  { archive, freshness }: Shown,
  query: URLSearchParams,
  places: Places,
  now: number,
  misread: boolean,
): NewestPage {
  const { body } = renderIncidentList(archive, parseListing(query, places), now)
  const json = stampedBody(body, freshness.inStepAt).body.toString()
  const { data } = JSON.parse(json) as { data: Incident[] }
  return { json, incidents: data, misread }
}
