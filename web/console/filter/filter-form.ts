import type { Severity } from '../../../src/domain/taxonomy.ts'
import { ANYWHERE, type Area, areaMembers, areaOf, withoutArea } from '../area/area.ts'

/** A watch's filter as the form holds it. */
export interface FilterForm {
  readonly state: readonly string[]
  readonly lga: readonly string[]
  readonly category: readonly string[]
  readonly type: readonly string[]
  readonly minSeverity: Severity | ''
  readonly minConfidence: string
  /** Ids of incidents to follow. */
  readonly incident: readonly string[]
  readonly area: Area
  /** Members that the form has no field for: they stay as they are. */
  readonly rest: Readonly<Record<string, unknown>>
}

export const EMPTY_FILTER: FilterForm = {
  state: [],
  lga: [],
  category: [],
  type: [],
  minSeverity: '',
  minConfidence: '',
  incident: [],
  area: ANYWHERE,
  rest: {},
}

const LISTS = ['state', 'lga', 'category', 'type', 'incident'] as const
export type ListName = (typeof LISTS)[number]

/** Writes the filter as the API takes it. */
export function filterOf(form: FilterForm): Record<string, unknown> {
  return {
    ...form.rest,
    ...Object.fromEntries(LISTS.filter((name) => form[name].length > 0).map((name) => [name, form[name]])),
    ...(form.minSeverity === '' ? {} : { min_severity: form.minSeverity }),
    ...(form.minConfidence === '' ? {} : { min_confidence: form.minConfidence }),
    ...areaMembers(form.area),
  }
}

/** Reads a filter as its owner wrote it: a single value may stand for a list. */
export function formOf(filter: Readonly<Record<string, unknown>>): FilterForm {
  const { state, lga, category, type, incident, min_severity, min_confidence, ...rest } = withoutArea(filter)
  return {
    state: listOf(state),
    lga: listOf(lga),
    category: listOf(category),
    type: listOf(type),
    incident: listOf(incident),
    minSeverity: (min_severity ?? '') as Severity | '',
    minConfidence: min_confidence === undefined ? '' : String(min_confidence),
    area: areaOf(filter),
    rest,
  }
}

function listOf(value: unknown): string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.map(String) : String(value).split(',')
}
