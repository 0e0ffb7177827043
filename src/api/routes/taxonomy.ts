import {
  CATEGORIES,
  CATEGORY_NAMES,
  SEVERITIES,
  SEVERITY_DESCRIPTIONS,
  TYPE_NAMES,
  TYPES,
} from '../../domain/taxonomy.ts'
import { readTaxonomy } from '../contract/read/taxonomy.ts'
import type { Router } from '../router.ts'

const TAXONOMY = {
  types: TYPE_NAMES.map((type) => ({ type, ...TYPES[type] })),
  categories: CATEGORY_NAMES.map((category) => ({ category, ...CATEGORIES[category] })),
  severities: SEVERITIES.map((severity) => ({ severity, ...SEVERITY_DESCRIPTIONS[severity] })),
}

export function taxonomyRoutes(router: Router): void {
  router.add(readTaxonomy, () => TAXONOMY)
}
