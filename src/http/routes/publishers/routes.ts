import { listPublishers, removePublisher, setPublisher } from '../../../contract/desk/publishers.ts'
import { publisherKey } from '../../../domain/confidence/reliability.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import { singleLine } from '../../../domain/summary/summary.ts'
import type { PublisherEntry } from '../../../store/store.ts'
import type { Router } from '../../router.ts'
import { storeOf } from '../../services.ts'

export function publisherRoutes(router: Router): void {
  const { dependencies } = router

  router.add(listPublishers, async () => ({
    data: (await storeOf(dependencies).publishers.list()).map(onWire),
  }))

  router.add(setPublisher, async ({ body }) => {
    const name = singleLine(body.name)
    const key = publisherKey(name)
    if (key === '') throw invalidBody([{ pointer: '/name', message: 'must be a name, as Zamfara Herald' }])
    const entry = { key, name, kind: body.class, updatedAt: dependencies.clock() }
    await storeOf(dependencies).publishers.set(entry)
    return onWire(entry)
  })

  router.add(removePublisher, async ({ reply, parameters }) => {
    const removed = await storeOf(dependencies).publishers.remove(publisherKey(singleLine(parameters.name)))
    if (!removed) throw new Problem('not_found', 'You have no entry for this publisher.')
    reply.status(204)
  })
}

function onWire({ name, kind, updatedAt }: PublisherEntry) {
  return { name, class: kind, updated_at: new Date(updatedAt).toISOString() }
}
