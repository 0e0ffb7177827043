import { renderIncidentList } from '../../api/incidents/list.ts'
import { CachedBody } from '../../api/responses/cached-body.ts'
import type { ArchiveView } from '../../archive/archive-view.ts'
import { atomLayout } from '../../formats/atom.ts'
import { english } from '../../i18n/english.ts'
import type { Steps } from '../../lib/steps.ts'
import type { AreaDocument } from './content/area-cache.ts'
import { type Area, areaFilter, areaPath } from './places/area.ts'
import { areaTitle } from './view/area-body.ts'

const ENTRIES = 50

export interface AreaFeed extends AreaDocument {
  readonly body: CachedBody
  readonly contentType: string
}

/** Writes the newest incidents of an area as Atom. */
export function* writeAreaFeed(view: ArchiveView, area: Area, publicUrl: string, now: number): Steps<AreaFeed> {
  const address = publicUrl + areaPath(area)
  const layout = atomLayout({
    publicUrl,
    self: `${address}/feed.atom`,
    title: english('areas.heading', { place: areaTitle(area, english) }),
    page: address,
    updatedAt: view.head.at,
  })
  const listing = {
    filter: areaFilter(area),
    order: 'newest',
    limit: ENTRIES,
    cursor: null,
    format: null,
    fields: null,
  } as const
  const { body, validUntil } = yield* renderIncidentList(view, listing, now, layout)
  const cached = new CachedBody(body)
  return { body: cached, contentType: layout.contentType, size: cached.size, validUntil }
}
