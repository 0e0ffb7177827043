import type { WatchFilter } from '../../../client/src/generated/types.ts'
import { CATEGORIES, type Severity, TYPES } from '../../../src/domain/taxonomy.ts'
import { ANYWHERE, type Area, areaMembers, areaOf, withoutArea } from '../places/area.ts'

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
export function formOf(filter: WatchFilter): FilterForm {
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

const AREA_WORDS = {
  anywhere: null,
  polygon: 'in a drawn area',
  circle: 'in a circle',
  route: 'along a road',
  saved: 'in a saved area',
  sites: 'near your sites',
  kept: 'in an area',
} as const

export function typeLabel(type: string): string {
  return (TYPES as Readonly<Record<string, { label: string }>>)[type]?.label ?? type
}

export function categoryLabel(category: string): string {
  return (CATEGORIES as Readonly<Record<string, { label: string }>>)[category]?.label ?? category
}

function followedText(incidents: readonly string[]): string {
  if (incidents.length === 0) return ''
  return incidents.length === 1 ? `follows ${incidents[0]}` : `follows ${incidents.length} incidents`
}

/** Puts a filter into words, for lists. */
export function filterText(form: FilterForm): string {
  const { area } = form
  const parts = [
    followedText(form.incident),
    [...form.category.map(categoryLabel), ...form.type.map(typeLabel)].join(', '),
    form.minSeverity === '' ? '' : `${form.minSeverity} or worse`,
    form.minConfidence === '' ? '' : `confidence from ${form.minConfidence}`,
    [...form.lga, ...form.state].join(', '),
    area.kind === 'circle' ? `within ${area.radiusKm} km of a point` : (AREA_WORDS[area.kind] ?? ''),
    ...Object.entries(form.rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'Every incident' : parts.join(' · ')
}
