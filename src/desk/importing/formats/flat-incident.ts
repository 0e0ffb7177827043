import type { Incident } from '../../../domain/incident.ts'
import { LIST_SEPARATOR } from '../../../formats/csv-columns.ts'
import type { FieldReader } from './column-map.ts'
import { type ParsedRow, rejected } from './format.ts'
import { incidentFaults } from './incident/incident-checks.ts'
import { parseList, readNumber } from './values.ts'

/** A table has no columns for confidence reasons and publication times of sources. */
type Optional = 'casualties_reported' | 'dataset' | 'attribution' | 'occurred_until' | 'merged_into'
const OMITS = ['confidence_reasons', 'sources', 'merged_into'] as const

/** Reads an incident of this service from a row with all columns of our own CSV. */
export function readFlatIncident(get: FieldReader, now: number): ParsedRow {
  const text = (name: Parameters<FieldReader>[0]) => get(name) || null
  const number = (name: Parameters<FieldReader>[0]) => (get(name) === '' ? null : readNumber(get(name)))
  const reported = parseList(get('casualties_reported'))
  if (reported === null) return rejected('casualties_reported must be a list in JSON')
  const document: Record<Exclude<keyof Incident, Optional>, unknown> = {
    id: text('id'),
    type: text('type'),
    category: text('category'),
    severity: text('severity'),
    state: text('state'),
    lga: text('lga'),
    lat: number('lat'),
    lng: number('lng'),
    location: {
      place: text('place'),
      precision: text('precision'),
      radius_km: number('radius_km'),
      state_code: text('state_code'),
      lga_code: text('lga_code'),
      lga_basis: text('lga_basis'),
    },
    confidence: number('confidence'),
    confidence_reasons: [],
    summary: text('summary'),
    sources: readSourceLists(get),
    ...(get('dataset') ? { dataset: get('dataset') } : {}),
    ...(get('attribution') ? { attribution: get('attribution') } : {}),
    casualties: { killed: number('killed'), injured: number('injured'), abducted: number('abducted') },
    ...(reported.length === 0 ? {} : { casualties_reported: reported }),
    occurred_at: text('occurred_at'),
    ...(get('occurred_until') ? { occurred_until: get('occurred_until') } : {}),
    time_precision: text('time_precision'),
    reported_at: text('reported_at'),
    confirmed_at: text('confirmed_at'),
    published_at: text('published_at'),
    updated_at: text('updated_at'),
    status: text('status'),
    version: number('version'),
  }
  const faults = incidentFaults(document, now)
  if (faults.length > 0) return rejected(faults.join('; '))
  const incident = document as unknown as Incident
  return { kind: 'incident', sourceId: incident.id, incident, omits: OMITS }
}

function readSourceLists(get: FieldReader): { url: string | null; publisher: string; published_at: null }[] {
  if (get('source_publishers') === '') return []
  const urls = get('source_urls').split(LIST_SEPARATOR)
  return get('source_publishers')
    .split(LIST_SEPARATOR)
    .map((publisher, index) => ({ url: urls[index]?.trim() || null, publisher: publisher.trim(), published_at: null }))
}
