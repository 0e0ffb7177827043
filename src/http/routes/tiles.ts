import { readTile } from '../../contract/tiles.ts'
import { parseTile } from '../../domain/tile.ts'
import { archiveOf } from '../dependencies.ts'
import { KeptTiles } from '../kept-tiles.ts'
import { parametersOf } from '../parameters.ts'
import type { Router } from '../router.ts'
import { CACHING, sendBytes } from '../send-bytes.ts'
import { TileMaker } from '../tile-answer.ts'

export function tileRoutes(router: Router): void {
  const { dependencies } = router
  const { places } = dependencies.geography
  const tiles = new KeptTiles(new TileMaker(places))

  router.add(readTile, ({ request, reply, parameters }) => {
    const tile = parseTile(parameters)
    const { filter } = parametersOf(request, readTile, places)
    const answer = tiles.find(archiveOf(dependencies), tile, filter, dependencies.clock())
    if (answer === null) return reply.status(204).header('cache-control', CACHING.cacheControl).send()
    return sendBytes(request, reply, answer, readTile.answer.contentType)
  })
}
