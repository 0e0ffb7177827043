import type { IncidentField } from '../src/index.ts'

/** A record, so that the compiler misses none. */
const ALL: Readonly<Record<IncidentField, true>> = {
  id: true,
  type: true,
  category: true,
  severity: true,
  state: true,
  lga: true,
  lat: true,
  lng: true,
  location: true,
  confidence: true,
  confidence_reasons: true,
  summary: true,
  sources: true,
  dataset: true,
  attribution: true,
  casualties: true,
  casualties_reported: true,
  occurred_at: true,
  occurred_until: true,
  time_precision: true,
  reported_at: true,
  confirmed_at: true,
  published_at: true,
  updated_at: true,
  status: true,
  version: true,
}

/** The members of an incident that `--fields` takes, in the order of the API. */
export const FIELDS = Object.keys(ALL) as readonly IncidentField[]
