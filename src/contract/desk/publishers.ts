import Type from 'typebox'
import { SOURCE_CLASSES } from '../../domain/confidence/weights.ts'
import { endpoint } from '../endpoint.ts'
import { Named, OneOf, Time } from '../schema.ts'

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Any of its names; they are matched as sources are.',
  }),
  class: OneOf(SOURCE_CLASSES, 'What it is, by which it counts (docs/confidence.md).'),
}

export const Publisher = Named('Publisher', Type.Object({ ...fields, updated_at: Time('When it was last set.') }))

export const listPublishers = endpoint({
  id: 'listPublishers',
  method: 'GET',
  path: '/v1/desk/publishers',
  tag: 'Desk',
  summary: 'List your entries in the table of publishers',
  description: 'They go before the built-in table.',
  scope: 'operate',
  query: {},
  response: { status: 200, description: 'By name.', schema: Type.Object({ data: Type.Array(Type.Ref('Publisher')) }) },
  problems: ['invalid_parameter'],
})

export const setPublisher = endpoint({
  id: 'setPublisher',
  method: 'POST',
  path: '/v1/desk/publishers',
  tag: 'Desk',
  summary: 'Say what a publisher is',
  description:
    'Adds or replaces an entry. Confidence is worked out with it from then on; incidents keep theirs until they are next changed.',
  scope: 'operate',
  body: Type.Object(fields, { additionalProperties: false, example: { name: 'Zamfara Herald', class: 'local' } }),
  response: { status: 200, description: 'The entry.', schema: Type.Ref('Publisher') },
  problems: ['invalid_body'],
})

export const removePublisher = endpoint({
  id: 'removePublisher',
  method: 'DELETE',
  path: '/v1/desk/publishers/{name}',
  tag: 'Desk',
  summary: 'Remove an entry',
  description: 'The built-in table then counts again.',
  scope: 'operate',
  pathParameters: { name: 'Any of its names, percent-encoded.' },
  response: { status: 204, description: 'It is gone.', schema: null },
  problems: ['not_found'],
})
