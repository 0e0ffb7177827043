import type { FieldError } from '../errors.ts'
import type { Places } from '../places.ts'
import type { Filter } from './filter.ts'
import type { Given } from './given.ts'
import type { FilterParameter } from './parameters.ts'
import { readBox, readCircle, readConfidence } from './read-numbers.ts'
import { readPlaces } from './read-places.ts'
import { readSeverities, readTypes } from './read-taxonomy.ts'
import { readOccurred, readPublished } from './read-times.ts'
import type { Reader } from './reader.ts'

export type Parsed<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] }

/** Understands a filter, or says everything that is wrong with it at once. */
export function parseFilter(given: Given<FilterParameter>, places: Places): Parsed<Filter> {
  const errors = [...given.errors]
  const reader: Reader = {
    parts: (name) => given.values.get(name) ?? null,
    single(name) {
      const parts = given.values.get(name)
      if (parts && parts.length > 1) return this.refuse(name, 'takes one value, not a list')
      return parts?.[0] ?? null
    },
    refuse(name, message, more = {}) {
      errors.push({ ...given.at(name), message, ...more })
      return null
    },
  }
  const filter: Filter = {
    ...readPlaces(reader, places),
    types: readTypes(reader),
    severities: readSeverities(reader),
    ...readConfidence(reader),
    ...readPublished(reader),
    ...readOccurred(reader),
    box: readBox(reader),
    circle: readCircle(reader),
    region: null,
    route: null,
  }
  return errors.length > 0 ? { errors } : { value: filter }
}
