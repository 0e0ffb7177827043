import Type from 'typebox'
import { SOURCE_CLASSES } from '../../../domain/publishers.ts'
import { endpoint } from '../endpoint.ts'
import { Named, OneOf, Time } from '../schema.ts'

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Any of the publisher's names; matched like the names of sources.",
  }),
  class: OneOf(SOURCE_CLASSES, 'The kind of publisher, which decides its weight (docs/confidence.md).'),
}

export const Publisher = Named(
  'Publisher',
  Type.Object({ ...fields, updated_at: Time('When the entry was last set.') }),
)

export const listPublishers = endpoint({
  id: 'listPublishers',
  method: 'GET',
  path: '/v1/desk/publishers',
  tag: 'Desk',
  summary: 'List your entries in the table of publishers',
  description: 'Your entries override the built-in table.',
  scope: 'admin',
  query: {},
  response: {
    status: 200,
    description: 'The entries, by name.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Publisher')) }),
  },
  problems: ['invalid_parameter'],
})

export const setPublisher = endpoint({
  id: 'setPublisher',
  method: 'POST',
  path: '/v1/desk/publishers',
  tag: 'Desk',
  summary: 'Classify a publisher',
  description:
    'Adds or replaces an entry. It applies to confidence computed from then on; existing incidents keep theirs until their next change.',
  scope: 'admin',
  body: Type.Object(fields, { additionalProperties: false, example: { name: 'Zamfara Herald', class: 'local' } }),
  response: { status: 200, description: 'The entry.', schema: Type.Ref('Publisher') },
  problems: ['invalid_body'],
})

export const removePublisher = endpoint({
  id: 'removePublisher',
  method: 'DELETE',
  path: '/v1/desk/publishers/{name}',
  sample: { name: 'Zamfara Herald' },
  tag: 'Desk',
  summary: 'Remove an entry',
  description: 'The built-in table applies again.',
  scope: 'admin',
  pathParameters: { name: 'Any of its names, percent-encoded.' },
  response: { status: 204, description: 'The entry has been removed.', schema: null },
  problems: ['not_found'],
})
