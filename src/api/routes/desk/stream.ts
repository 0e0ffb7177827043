import type { FastifyRequest } from 'fastify'
import { invalidParameters } from '../../../domain/errors.ts'
import { readDeskStream } from '../../contract/desk/queue.ts'
import { parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { startStream } from '../../stream.ts'

export function deskStreamRoutes(router: Router): void {
  const { authenticator, environment } = router
  router.beforeClose(({ deskStreams }) => deskStreams[Symbol.asyncDispose]())

  router.add(readDeskStream, async ({ request, reply, services: { store, deskStreams } }) => {
    const { text } = parametersOf(request, readDeskStream, environment.geography.places)
    const head = await store.desk.head()
    const after = positionOf(request, text('last_event_id'), head)
    return startStream(request, reply, authenticator, (response, key) =>
      deskStreams.addConnection(response, { after, ...key }),
    )
  })
}

/** A client that reconnects repeats its first URL; the header has its latest position. */
function positionOf(request: FastifyRequest, parameter: string | null, head: number): number {
  const header = request.headers['last-event-id']?.toString().trim()
  const text = header || parameter
  if (text === null || text === undefined) return head
  const name = header ? 'Last-Event-ID' : 'last_event_id'
  if (!/^\d{1,15}$/.test(text))
    throw invalidParameters([{ parameter: name, message: 'must be a revision of the desk, a whole number from 0' }])
  // After a restore the head may lie behind: everything that has changed since is unknown.
  return Number(text) > head ? 0 : Number(text)
}
