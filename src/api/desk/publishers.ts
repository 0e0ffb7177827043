import Type from 'typebox'
import { publisherKey, SOURCE_CLASSES } from '../../domain/confidence.ts'
import { invalidBody, Problem } from '../../domain/errors.ts'
import { singleLine } from '../../domain/summary.ts'
import type { PublisherEntry } from '../../store/store.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { Closed, NamedObject, OneOf, Text, Time } from '../contract/schema.ts'
import { sendAnswer } from '../idempotency.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'

const endpoint = endpointsOf({ tag: 'Desk', scope: 'admin' })

const fields = {
  name: Text("Any of the publisher's names; matched like the names of sources.", { minLength: 1, maxLength: 200 }),
  class: OneOf(SOURCE_CLASSES, 'The kind of publisher, which decides its weight (docs/confidence.md).'),
}

NamedObject('Publisher', { ...fields, updated_at: Time('When the entry was last set.') })

const listPublishers = endpoint('listPublishers', 'GET /v1/desk/publishers', {
  summary: 'List your entries in the table of publishers',
  description: 'Your entries override the built-in table.',
  response: ok('The entries, by name.', Type.Object({ data: Type.Array(Type.Ref('Publisher')) })),
})

const setPublisher = endpoint('setPublisher', 'POST /v1/desk/publishers', {
  summary: 'Classify a publisher',
  description:
    'Adds or replaces an entry. It applies to confidence computed from then on; existing incidents keep theirs until their next change.',
  body: Closed(fields, { example: { name: 'Zamfara Herald', class: 'local' } }),
  response: ok('The entry.', Type.Ref('Publisher')),
})

const removePublisher = endpoint('removePublisher', 'DELETE /v1/desk/publishers/{name}', {
  sample: { name: 'Zamfara Herald' },
  summary: 'Remove an entry',
  description: 'The built-in table applies again.',
  pathParameters: { name: 'Any of its names, percent-encoded.' },
  response: { status: 204, description: 'The entry has been removed.', schema: null },
})

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
  return { name, class: kind, updated_at: timeResponse(updatedAt) }
}
