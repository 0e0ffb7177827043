import Type from 'typebox'
import { CATEGORIES, CATEGORY_NAMES, SEVERITIES, SEVERITY_DESCRIPTIONS, TYPE_NAMES, TYPES } from '../domain/taxonomy.ts'
import { endpoint, ok } from './contract/endpoint.ts'
import { NamedObject, OneOf } from './contract/schema.ts'
import type { Router } from './router.ts'

const words = { label: Type.String(), description: Type.String() }

export const Taxonomy = NamedObject('Taxonomy', {
  types: Type.Array(Type.Object({ type: OneOf(TYPE_NAMES), category: OneOf(CATEGORY_NAMES), ...words })),
  categories: Type.Array(Type.Object({ category: OneOf(CATEGORY_NAMES), ...words })),
  severities: Type.Array(Type.Object({ severity: OneOf(SEVERITIES), ...words }), {
    description: 'From least to worst.',
  }),
})

const readTaxonomy = endpoint('readTaxonomy', 'GET /v1/taxonomy', {
  tag: 'Incidents',
  summary: 'Types, categories and severities',
  description: 'The closed lists, with labels and descriptions. Within v1 they only grow.',
  scope: 'read',
  response: ok('The lists.', Type.Ref('Taxonomy')),
})

const TAXONOMY = {
  types: TYPE_NAMES.map((type) => ({ type, ...TYPES[type] })),
  categories: CATEGORY_NAMES.map((category) => ({ category, ...CATEGORIES[category] })),
  severities: SEVERITIES.map((severity) => ({ severity, ...SEVERITY_DESCRIPTIONS[severity] })),
}

export function taxonomyRoutes(router: Router): void {
  router.add(readTaxonomy, () => TAXONOMY)
}
