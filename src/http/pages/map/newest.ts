import type { Archive } from '../../../archive/archive.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { Places } from '../../../domain/places.ts'
import { parseListing } from '../../../query/listing.ts'
import { filterInAddress } from '../../../query/map-view.ts'
import { renderIncidentList } from '../../responses/incident-list.ts'

export interface NewestPage {
  /** As the API answers it. */
  readonly json: string
  readonly incidents: readonly Incident[]
  /** Whether the address asked for something that could not be understood, and was left out. */
  readonly misread: boolean
}

/** The first page of what the map's address asks for: what the map will ask for next, and what is read without it. */
export function newestFor(archive: Archive, address: URLSearchParams, places: Places, now: number): NewestPage {
  try {
    return pageFor(archive, filterInAddress(address), places, now, false)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // A link that was cut short still shows the map; the page says what it could not read.
    return pageFor(archive, filterInAddress(new URLSearchParams()), places, now, true)
  }
}

function pageFor(archive: Archive, query: URLSearchParams, places: Places, now: number, misread: boolean): NewestPage {
  const json = renderIncidentList(archive, parseListing(query, places), now).body.toString()
  const { data } = JSON.parse(json) as { data: Incident[] }
  return { json, incidents: data, misread }
}
