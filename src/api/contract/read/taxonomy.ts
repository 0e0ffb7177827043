import Type from 'typebox'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import { endpoint } from '../endpoint.ts'
import { Named, OneOf } from '../schema.ts'

const words = { label: Type.String(), description: Type.String() }

export const Taxonomy = Named(
  'Taxonomy',
  Type.Object({
    types: Type.Array(Type.Object({ type: OneOf(TYPE_NAMES), category: OneOf(CATEGORY_NAMES), ...words })),
    categories: Type.Array(Type.Object({ category: OneOf(CATEGORY_NAMES), ...words })),
    severities: Type.Array(Type.Object({ severity: OneOf(SEVERITIES), ...words }), {
      description: 'From least to worst.',
    }),
  }),
)

export const readTaxonomy = endpoint({
  id: 'readTaxonomy',
  method: 'GET',
  path: '/v1/taxonomy',
  tag: 'Incidents',
  summary: 'Types, categories and severities',
  description: 'The closed lists, with labels and descriptions. Within v1 they only grow.',
  scope: 'read',
  query: {},
  response: { status: 200, description: 'The lists.', schema: Type.Ref('Taxonomy') },
  problems: ['invalid_parameter'],
})
