import { CATEGORIES, TYPES } from '../../../src/domain/taxonomy.ts'
import type { FilterForm } from './filter-form.ts'

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
