import Type, { type Static } from 'typebox'
import type { Incident } from '../../../domain/incident.ts'
import { Nullable } from '../../contract/schema.ts'
import { Incident as IncidentSchema } from '../../incidents/contract.ts'
import type { ResourceLink } from './tool.ts'

/** Longer summaries are cut: twenty of them share the assistant's attention. */
const MAX_SUMMARY_LENGTH = 400

const { id, type, severity, state, lga, lat, lng, confidence, casualties, occurred_at, published_at } =
  IncidentSchema.properties

/** What a list tells of an incident; `get_incident` has the rest. */
export const IncidentBrief = Type.Object({
  id,
  type,
  severity,
  state,
  lga,
  place: Nullable(Type.String({ description: 'The settlement, road or landmark, if known.' })),
  lat,
  lng,
  confidence,
  casualties,
  occurred_at,
  published_at,
  summary: Type.String({ description: `Cut after ${MAX_SUMMARY_LENGTH} characters.` }),
  page: Type.String({ description: 'The page about it, to show to people.' }),
})
export type IncidentBrief = Static<typeof IncidentBrief>

export function briefOf(incident: Incident, publicUrl: string): object {
  const { id, type, severity, state, lga, lat, lng, confidence, casualties, occurred_at, published_at } = incident
  const summary =
    incident.summary.length <= MAX_SUMMARY_LENGTH
      ? incident.summary
      : `${incident.summary.slice(0, MAX_SUMMARY_LENGTH - 1)}…`
  const { place } = incident.location
  const page = pageOf(incident, publicUrl)
  return {
    id,
    type,
    severity,
    state,
    lga,
    place,
    lat,
    lng,
    confidence,
    casualties,
    occurred_at,
    published_at,
    summary,
    page,
  }
}

export const INCIDENT_URI = 'incident-feed://incidents/'

export function incidentLink({ id, type, state }: Incident): ResourceLink {
  return { uri: `${INCIDENT_URI}${id}`, name: `${type} in ${state}`, mimeType: 'application/json' }
}

export function pageLink(incident: Incident, publicUrl: string): ResourceLink {
  return { uri: pageOf(incident, publicUrl), name: 'The page about the incident', mimeType: 'text/html' }
}

function pageOf({ id }: Incident, publicUrl: string): string {
  return `${publicUrl}/incidents/${id}`
}
