import { Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import { canonicalQuery } from '../../filter/filter/canonical.ts'
import { FEED_PARAMETER_NAMES, type Listing, parseListing } from '../../filter/listing.ts'
import { DEFAULT_LIMIT } from '../../filter/parameter-values.ts'
import { atomLayout } from '../../formats/atom.ts'
import { CAP_TYPE, capMessage } from '../../formats/cap.ts'
import { readAlert, readFeed } from '../contract/read/feeds.ts'
import { RequestAsker } from '../requests/asker.ts'
import { parametersOf, queryOf } from '../requests/parameters.ts'
import { CachedBody } from '../responses/cached-body.ts'
import { sendBytes } from '../responses/send-bytes.ts'
import type { Router } from '../router.ts'
import type { Services } from '../services.ts'
import { ListCache, type ListSource } from './incidents/cache.ts'

export function feedRoutes(router: Router): void {
  const { clock, geography, publicUrl, queries } = router.environment
  const { places } = geography
  const source: ListSource = {
    parse: (query) => parseListing(query, places, FEED_PARAMETER_NAMES),
    layoutFor: (listing, { head }) =>
      atomLayout({
        publicUrl: publicUrl(),
        self: publicUrl() + pathOf(listing),
        updatedAt: head.at,
      }),
  }
  const feeds = new ListCache(source, queries)

  router.add(readFeed, async ({ request, reply, services: { archive } }) => {
    const feed = await feeds.getList(archive, queryOf(request), null, clock(), new RequestAsker(request, reply))
    return sendBytes(request, reply, feed, feed.contentType)
  })

  router.add(readAlert, async ({ request, reply, parameters, services }) => {
    parametersOf(request, readAlert, places)
    const message = capMessage(await findIncident(services, parameters.id), publicUrl())
    return sendBytes(request, reply, new CachedBody(Buffer.from(message)), CAP_TYPE)
  })
}

/** The canonical path, so that feed readers recognise a feed under every spelling. */
function pathOf({ filter, limit }: Listing): string {
  const query = [canonicalQuery(filter), limit === DEFAULT_LIMIT ? '' : `limit=${limit}`].filter(Boolean).join('&')
  return `${readFeed.path}${query && `?${query}`}`
}

/**
 * Finds retracted and merged incidents too, outside the archive: alerted clients need the
 * cancellation.
 */
async function findIncident({ archive, store }: Services, id: string): Promise<Incident> {
  const slot = archive.slotOf(id)
  const wasPublic = archive.isRetracted(id) || archive.mergedInto(id) !== null
  const incident = slot !== null ? archive.incidentOf(slot) : wasPublic ? await store.incidents.find(id) : null
  if (incident === null) throw new Problem('not_found', 'There is no incident with this id.')
  return incident
}
