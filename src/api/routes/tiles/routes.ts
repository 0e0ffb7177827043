import { parseTile } from '../../../filter/tile.ts'
import { readTile } from '../../contract/read/tiles.ts'
import { RequestAsker } from '../../requests/asker.ts'
import { areaOfQuery } from '../../requests/find-area.ts'
import { parametersOf } from '../../requests/parameters.ts'
import { CACHING, sendBytes } from '../../responses/send-bytes.ts'
import type { Router } from '../../router.ts'
import { TileCache } from './cache.ts'
import { TileRenderer } from './response.ts'

export function tileRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const { places } = geography
  const cache = new TileCache(new TileRenderer(places), queries)

  router.add(readTile, async ({ request, reply, parameters, services: { archive, store } }) => {
    const tile = parseTile(parameters)
    const { filter } = parametersOf(request, readTile, places, await areaOfQuery(request, store, places))
    const cached = await cache.getTile(archive, tile, filter, clock(), new RequestAsker(request, reply))
    if (cached === null) return reply.status(204).header('cache-control', CACHING.cacheControl).send()
    return sendBytes(request, reply, cached, readTile.response.contentType)
  })
}
