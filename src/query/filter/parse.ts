import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import type { Filter } from './filter.ts'
import type { FilterParameter } from './parameters.ts'
import type { Given } from './parsers/input.ts'
import { readBox, readCircle, readConfidence } from './parsers/numbers.ts'
import { readPlaces } from './parsers/places.ts'
import type { Reader } from './parsers/reader.ts'
import { readSeverities, readTypes } from './parsers/taxonomy.ts'
import { readOccurred, readPublished } from './parsers/times.ts'

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
