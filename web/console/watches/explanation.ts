import type { DeliveryStatus } from '../../../src/domain/delivery.ts'
import { typeLabel } from '../watches/filter-form.ts'

interface ExplainedCondition {
  readonly condition: string
  readonly wanted: unknown
  readonly actual: unknown
  readonly holds: boolean
}

/** The answer of `GET /v1/watches/{id}/explain`, as far as the console shows it. */
export interface Explanation {
  readonly incident_id: string
  /** Null if the incident is not public any more. */
  readonly matches: boolean | null
  readonly conditions: readonly ExplainedCondition[]
  readonly events: readonly {
    readonly seq: number
    readonly event: string
    readonly at: string
    readonly outcome: DeliveryStatus | 'before_watch' | 'not_listed' | 'not_matched' | 'missed'
    readonly delivery: { readonly id: string } | null
  }[]
  readonly verdict: string
}

export const EVENT_OUTCOME_WORDS: Readonly<Record<Explanation['events'][number]['outcome'], string>> = {
  delivered: 'delivered',
  pending: 'pending',
  failed: 'failed',
  cancelled: 'cancelled',
  before_watch: 'before the watch was made',
  not_listed: 'not an event that the watch sends',
  not_matched: 'the filter does not match',
  missed: 'no message was made',
}

const CONDITION_WORDS: Readonly<Record<string, string>> = {
  state: 'State',
  lga: 'LGA',
  type: 'Type',
  severity: 'Severity',
  min_confidence: 'Confidence at least',
  max_confidence: 'Confidence at most',
  bbox: 'Inside the box',
  near: 'Inside the circle',
  polygon: 'Inside the area',
  route: 'Near the road',
}

export function conditionLabel(condition: string): string {
  return CONDITION_WORDS[condition] ?? condition
}

/** Puts what a condition wants, or what the incident has, into words. */
export function valueText(condition: string, value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (condition === 'bbox' && Array.isArray(value)) {
    const [west, south, east, north] = value
    return `latitude ${south} to ${north}, longitude ${west} to ${east}`
  }
  if (Array.isArray(value)) return value.map((each) => valueText(condition, each)).join(' or ')
  if (isPoint(value)) {
    const point = `${value.lat}, ${value.lng}`
    return value.radius_km === undefined ? point : `within ${value.radius_km} km of ${point}`
  }
  if (typeof value === 'object') return JSON.stringify(value)
  return condition === 'type' ? typeLabel(String(value)) : String(value)
}

/** The id of an incident in what was pasted: the id itself, or the address of its page. */
export function incidentIdIn(text: string): string {
  return /\binc_\w+/.exec(text)?.[0] ?? text.trim()
}

function isPoint(value: unknown): value is { lat: number; lng: number; radius_km?: number } {
  return typeof value === 'object' && value !== null && 'lat' in value && 'lng' in value
}
