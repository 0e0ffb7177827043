import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import type { AreaShape, Filter } from './filter.ts'
import type { FilterParameter } from './parameters.ts'
import { parseSaved } from './parsers/area.ts'
import { parseDatasets } from './parsers/datasets.ts'
import type { FilterInput, RawParameters } from './parsers/input.ts'
import { parseBox, parseCircle, parseConfidence } from './parsers/numbers.ts'
import { parsePlaces } from './parsers/places.ts'
import { parseSeverities, parseTypes } from './parsers/taxonomy.ts'
import { parseOccurred, parsePublished } from './parsers/times.ts'
import { parseWords } from './words.ts'

export type Parsed<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] }

/**
 * Parses a filter, or returns every error in it. `area` is the saved area or list of sites that it
 * names.
 */
export function parseFilter(
  parameters: RawParameters<FilterParameter>,
  places: Places,
  area: AreaShape | null = null,
): Parsed<Filter> {
  const errors = [...parameters.errors]
  const input: FilterInput = {
    list: (name) => parameters.values.get(name) ?? null,
    single(name) {
      const list = parameters.values.get(name)
      if (list && list.length > 1) return this.reject(name, 'takes one value, not a list')
      return list?.[0] ?? null
    },
    reject(name, message, hints) {
      errors.push({ ...parameters.at(name), message, ...parameters.suggestions.hintsFrom(hints) })
      return null
    },
  }
  const filter: Filter = {
    ...parsePlaces(input, places),
    types: parseTypes(input),
    severities: parseSeverities(input),
    ...parseConfidence(input),
    ...parsePublished(input),
    ...parseOccurred(input),
    datasets: parseDatasets(input),
    words: parseWords(input),
    box: parseBox(input),
    circle: parseCircle(input),
    region: null,
    route: null,
    sites: null,
    incidents: null,
    ...parseSaved(input, area),
  }
  return errors.length > 0 ? { errors } : { value: filter }
}
