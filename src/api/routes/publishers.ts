import { invalidBody, Problem } from '../../domain/errors.ts'
import { publisherKey } from '../../domain/publishers.ts'
import { singleLine } from '../../domain/summary.ts'
import type { PublisherEntry } from '../../store/store.ts'
import { listPublishers, removePublisher, setPublisher } from '../contract/desk/publishers.ts'
import { sendAnswer } from '../idempotency.ts'
import type { Router } from '../router.ts'

export function publisherRoutes(router: Router): void {
  const { clock } = router.environment

  router.add(listPublishers, async ({ services: { store } }) => ({
    data: (await store.publishers.list()).map(publisherResponse),
  }))

  router.add(setPublisher, async ({ reply, body, storeWith }) => {
    const name = singleLine(body.name)
    const key = publisherKey(name)
    if (key === '') throw invalidBody([{ pointer: '/name', message: 'must be a name, such as Zamfara Herald' }])
    const entry = { key, name, kind: body.class, updatedAt: clock() }
    const answer = { status: 200, body: publisherResponse(entry) }
    await storeWith(answer).publishers.set(entry)
    return sendAnswer(reply, answer)
  })

  router.add(removePublisher, async ({ reply, parameters, services: { store } }) => {
    const removed = await store.publishers.remove(publisherKey(singleLine(parameters.name)))
    if (!removed) throw new Problem('not_found', 'There is no entry for this publisher.')
    reply.status(204)
  })
}

function publisherResponse({ name, kind, updatedAt }: PublisherEntry) {
  return { name, class: kind, updated_at: new Date(updatedAt).toISOString() }
}
