import { readStream } from '../../contract/read/stream.ts'
import { areaOfQuery } from '../../requests/find-area.ts'
import type { Router } from '../../router.ts'
import { checkPosition, parseStreamRequest } from './request.ts'
import { startStream } from './start-stream.ts'

export function streamRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { geography } = environment
  router.beforeClose(({ streams }) => streams[Symbol.asyncDispose]())

  router.add(readStream, async ({ request, reply, services: { store, streams } }) => {
    const { filter, filterText, position } = parseStreamRequest(
      request,
      geography.places,
      await areaOfQuery(request, store, geography.places),
    )
    if (position !== null) await checkPosition(position, streams.head, () => store.events)
    const after = position?.seq ?? null
    return startStream(request, reply, authenticator, (response, key) =>
      streams.addConnection(response, { filter, filterText, after, ...key }),
    )
  })
}
