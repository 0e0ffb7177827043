import type { Incident, Precision } from '../domain/incident.ts'
import { SYNTHETIC_PREFIX } from '../domain/summary.ts'
import { type Category, type Severity, TYPES } from '../domain/taxonomy.ts'
import { describePlace, element, group, headline, XML_DECLARATION } from './xml.ts'

const HOUR = 3_600_000
const NAMESPACE = 'urn:oasis:names:tc:emergency:cap:1.2'
export const CAP_TYPE = 'application/cap+xml; charset=utf-8'

/**
 * Writes a message of the Common Alerting Protocol 1.2: an alert at first publication, an update
 * after a correction, a cancellation without content after a retraction.
 */
export function capMessage(incident: Incident, publicUrl: string): string {
  const sender = new URL(publicUrl).host
  const kind = kindOf(incident)
  const first = { identifier: incident.id, sent: capTime(firstSent(incident)) }
  const { identifier, sent } =
    kind === 'Alert'
      ? first
      : { identifier: `${incident.id}.${incident.version}`, sent: capTime(Date.parse(incident.updated_at)) }
  const message = group(
    'alert',
    [
      element('identifier', identifier),
      element('sender', sender),
      element('sent', sent),
      element('status', incident.summary.startsWith(SYNTHETIC_PREFIX) ? 'Test' : 'Actual'),
      element('msgType', kind),
      element('scope', 'Public'),
      kind === 'Alert' ? '' : element('references', `${sender},${first.identifier},${first.sent}`),
      kind === 'Cancel' ? '' : info(incident, publicUrl, sent),
    ],
    { xmlns: NAMESPACE },
  )
  return `${XML_DECLARATION}${message}\n`
}

function kindOf(incident: Incident): 'Alert' | 'Update' | 'Cancel' {
  if (incident.status === 'retracted' || incident.status === 'merged') return 'Cancel'
  return incident.version > 1 && Date.parse(incident.updated_at) > firstSent(incident) ? 'Update' : 'Alert'
}

/** Corrections do not change these times, so later messages can reference the first one. */
function firstSent(incident: Incident): number {
  return Date.parse(incident.confirmed_at ?? incident.reported_at)
}

function info(incident: Incident, publicUrl: string, sent: string): string {
  const { id, type, category, severity, confidence, summary, occurred_at } = incident
  return group('info', [
    element('language', 'en-NG'),
    ...CAP_CATEGORIES[category].map((name) => element('category', name)),
    element('event', TYPES[type].label),
    element('urgency', urgencyOf(incident)),
    element('severity', CAP_SEVERITIES[severity]),
    element('certainty', CAP_CERTAINTIES.find(({ least }) => confidence >= least)!.certainty),
    pair('eventCode', 'incident-feed:type', type),
    element('onset', capTime(Date.parse(occurred_at))),
    element('expires', capTime(Date.parse(sent) + CAP_EXPIRY_HOURS * HOUR)),
    element('senderName', 'Incident Feed'),
    element('headline', headline(incident)),
    element('description', summary),
    element('web', `${publicUrl}/incidents/${id}`),
    pair('parameter', 'incident-feed:confidence', String(confidence)),
    area(incident),
  ])
}

function urgencyOf({ occurred_at, published_at }: Incident): string {
  const hours = (Date.parse(published_at!) - Date.parse(occurred_at)) / HOUR
  return CAP_URGENCIES.find(({ withinHours }) => hours <= withinHours)!.urgency
}

function area(incident: Incident): string {
  const { lat, lng, location } = incident
  const { radius_km, precision, state_code, lga_code } = location
  return group('area', [
    element('areaDesc', describePlace(incident)),
    element('circle', `${lat},${lng} ${radius_km ?? CAP_RADII[precision]}`),
    pair('geocode', 'ISO 3166-2', state_code),
    lga_code === null ? '' : pair('geocode', 'incident-feed:lga', lga_code),
  ])
}

function pair(name: string, valueName: string, value: string): string {
  return group(name, [element('valueName', valueName), element('value', value)])
}

/** CAP does not allow `Z`: UTC is written as -00:00. */
function capTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}-00:00`
}

/** Translates our values to the Common Alerting Protocol 1.2. */

export const CAP_CATEGORIES = {
  abduction: ['Security'],
  crime: ['Security'],
  armed_conflict: ['Security'],
  communal: ['Security'],
  gang: ['Security'],
  civil_unrest: ['Security', 'Safety'],
  maritime: ['Security', 'Transport'],
  infrastructure: ['Security', 'Infra'],
} as const satisfies Record<Category, readonly string[]>

export const CAP_SEVERITIES = {
  critical: 'Extreme',
  high: 'Severe',
  medium: 'Moderate',
  low: 'Minor',
} as const satisfies Record<Severity, string>

/** The first row whose `least` the confidence reaches. */
export const CAP_CERTAINTIES = [
  { least: 0.8, certainty: 'Observed' },
  { least: 0.5, certainty: 'Likely' },
  { least: 0.2, certainty: 'Possible' },
  { least: 0, certainty: 'Unlikely' },
] as const

/** The first row with the hours between the incident and its publication. */
export const CAP_URGENCIES = [
  { withinHours: 6, urgency: 'Immediate' },
  { withinHours: 24, urgency: 'Expected' },
  { withinHours: Number.POSITIVE_INFINITY, urgency: 'Past' },
] as const

/** Kilometres, if the incident has no radius. */
export const CAP_RADII = { exact: 1, settlement: 3, lga: 30, state: 100 } as const satisfies Record<Precision, number>

export const CAP_EXPIRY_HOURS = 24
