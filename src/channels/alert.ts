import { confidenceLevel } from '../domain/confidence/levels.ts'
import type { Retraction } from '../domain/delivery/message-content.ts'
import type { Incident, TimePrecision } from '../domain/incident.ts'
import type { NamedSites } from '../domain/sites/named-sites.ts'
import { type IncidentType, SEVERITY_DESCRIPTIONS, TYPES } from '../domain/taxonomy.ts'
import type { WatchEvent } from '../domain/watch.ts'
import { CAP_EXPIRY_HOURS } from '../formats/cap-tables.ts'
import { describePlace, headline } from '../formats/headline.ts'
import { calendarDay, dayText, momentText } from '../lib/time/nigeria-time.ts'
import type { Alert, AlertKind, Fact } from './alert-content.ts'
import { digestOf, type ToldIncident } from './digest.ts'
import { cut } from './text.ts'

const HOUR_MS = 3_600_000
const SERVICE = 'Incident Feed'
const SHOWN_SOURCES = 3
const SHOWN_SITES = 3
const MAX_SITE_NAME_LENGTH = 50
/** So that the whole message is within the 4,096 characters of Telegram. */
const MAX_FACT_LENGTH = 200
/** Every channel holds this much, escaped. */
const MAX_SUMMARY_LENGTH = 1200
export const MAX_ADVICE_LENGTH = 600

/** What a message tells of, before any channel has given it a form. */
export interface ChannelMessage {
  /** Of the delivery. */
  readonly id: string
  readonly watchId: string
  readonly event: WatchEvent
  readonly watchName: string
  readonly test: boolean
  /** JSON text: the incident, or what is told of a retracted one. */
  readonly document: string
  /** For a watch of sites: which the incident concerns. */
  readonly sites?: NamedSites | undefined
  /** What else is told in the same message. */
  readonly further?: readonly ToldMessage[] | undefined
}

/** Without what names the delivery. */
export type ToldMessage = Omit<ChannelMessage, 'id' | 'watchId'>

export interface AlertContext {
  /** The address of the service, for links. */
  readonly publicUrl: string
  /** What the operator advises, by type. */
  readonly advice: Advice
}
export type Advice = Readonly<Partial<Record<IncidentType, string>>>

export type { Alert, AlertEntry, AlertKind, Fact } from './alert-content.ts'

const KINDS = {
  'incident.created': 'new',
  'incident.updated': 'corrected',
  'incident.retracted': 'retracted',
} as const satisfies Record<WatchEvent, AlertKind>

const PREFIXES = { new: '', corrected: 'Corrected: ', retracted: 'Withdrawn: ' } as const satisfies Record<
  AlertKind,
  string
>

const CONFIDENCE_WORDS = { unconfirmed: 'Unconfirmed', likely: 'Likely', well_supported: 'Well supported' } as const

/** An alert of all that the message tells. */
export function alertOf(message: ToldMessage, context: AlertContext): Alert {
  const { further = [] } = message
  if (further.length === 0) return singleAlert(message, context)
  return digestOf(
    [message, ...further].map((each) => toldOf(each, context)),
    context,
  )
}

function toldOf(message: ToldMessage, context: AlertContext): ToldIncident {
  const incident = JSON.parse(message.document) as Incident | Retraction
  const whole = isWhole(incident) ? incident : null
  return {
    alert: singleAlert(message, context),
    type: incident.type,
    state: incident.state,
    detail:
      whole && [...siteFacts(message.sites).map(({ value }) => value), whenText(whole), sureText(whole)].join(' · '),
    advice: whole && (context.advice[whole.type] ?? null),
  }
}

function singleAlert(message: ToldMessage, context: AlertContext): Alert {
  const { event, watchName, test, document, sites } = message
  const incident = JSON.parse(document) as Incident | Retraction
  const kind = KINDS[event]
  const common = {
    kind,
    incidentId: incident.id,
    severity: incident.severity,
    title: cut(`${test ? 'Test: ' : ''}${PREFIXES[kind]}${headline(incident as Incident)}`, 140),
    link: `${context.publicUrl}/incidents/${incident.id}`,
    linkText: 'Open the incident',
    entries: [],
    footer: cut(`${SERVICE} · ${watchName}`, 200),
  }
  return isWhole(incident)
    ? { ...common, ...contentOf(incident, kind, sites, context.advice) }
    : {
        ...common,
        summary: null,
        facts: [...retractedFacts(incident), ...siteFacts(sites)],
        advice: null,
        note: retractedNote(incident),
      }
}

function isWhole(incident: Incident | Retraction): incident is Incident {
  return 'summary' in incident
}

function contentOf(
  incident: Incident,
  kind: AlertKind,
  sites: NamedSites | undefined,
  advice: Advice,
): Pick<Alert, 'summary' | 'facts' | 'advice' | 'note'> {
  const written = advice[incident.type]
  return {
    summary: cut(incident.summary, MAX_SUMMARY_LENGTH),
    facts: [
      { label: 'Where', value: describePlace(incident) },
      ...siteFacts(sites),
      { label: 'When', value: whenText(incident) },
      { label: 'Severity', value: SEVERITY_DESCRIPTIONS[incident.severity].label },
      { label: 'How sure', value: sureText(incident) },
      ...casualtyFacts(incident),
      { label: 'Sources', value: sourcesText(incident) },
    ].map(({ label, value }) => ({ label, value: cut(value, MAX_FACT_LENGTH) })),
    advice: written === undefined ? null : cut(written, MAX_ADVICE_LENGTH),
    note: `${kind === 'corrected' ? 'This replaces what was sent before. ' : ''}${validityText(incident)}`,
  }
}

/** A retraction names sites without distances; there are none if the watch has no list, or the incident left it. */
function siteFacts(sites: NamedSites | undefined): Fact[] {
  if (sites === undefined || sites.nearest.length === 0) return []
  const shown = sites.nearest.slice(0, SHOWN_SITES)
  const texts = shown.map(({ name, distance_km }) =>
    distance_km === undefined
      ? cut(name, MAX_SITE_NAME_LENGTH)
      : `${cut(name, MAX_SITE_NAME_LENGTH)} (${distance_km} km)`,
  )
  const more = sites.nearest.length + sites.more - shown.length
  return [{ label: 'Your sites', value: texts.join(', ') + (more > 0 ? ` and ${more} more` : '') }]
}

function retractedFacts({ type, state, lga, severity }: Retraction): Fact[] {
  return [
    { label: 'What', value: TYPES[type].label },
    { label: 'Where', value: lga === null ? state : `${lga}, ${state}` },
    { label: 'Severity', value: `${SEVERITY_DESCRIPTIONS[severity].label} (as reported)` },
  ]
}

function retractedNote({ status }: Retraction): string {
  return status === 'merged'
    ? 'This report turned out to be of an incident that is reported under another number. Follow the link to it.'
    : 'This report was withdrawn. Do not rely on what was sent before about it, and tell those whom you told.'
}

/** A message that never ends would be read as true for ever. */
function validityText({ updated_at }: Incident): string {
  const until = Date.parse(updated_at) + CAP_EXPIRY_HOURS * HOUR_MS
  return `Counts until ${momentText(until)}, unless a correction comes before; the link has the latest.`
}

/** The time as exactly as it is known, on a clock in Nigeria. */
const TIMES: Readonly<Record<TimePrecision, (time: string) => string>> = {
  exact: momentText,
  hour: (time) => `about ${momentText(time)}`,
  day: dayText,
  week: (time) => `in the week of ${dayText(time)}`,
  month: (time) => `${calendarDay(time).month} ${calendarDay(time).year}`,
  year: (time) => String(calendarDay(time).year),
}

function whenText({ occurred_at, occurred_until, time_precision }: Incident): string {
  const from = TIMES[time_precision](occurred_at)
  const until = occurred_until === undefined ? from : TIMES[time_precision](occurred_until)
  return until === from ? from : `${from} to ${until}`
}

function sureText({ confidence, sources }: Incident): string {
  const count = sources.length === 1 ? '1 source' : `${sources.length} sources`
  return `${CONFIDENCE_WORDS[confidenceLevel(confidence)]}: ${confidence} of 1, ${count}`
}

function casualtyFacts({ casualties: { killed, injured, abducted } }: Incident): Fact[] {
  const parts = [
    [killed, 'killed'],
    [injured, 'injured'],
    [abducted, 'abducted'],
  ] as const
  const known = parts.flatMap(([count, word]) => (count === null ? [] : [`${count} ${word}`]))
  return known.length === 0 ? [] : [{ label: 'Casualties', value: known.join(', ') }]
}

function sourcesText({ sources, attribution }: Incident): string {
  const publishers = [...new Set(sources.map(({ publisher }) => publisher))]
  const more = publishers.length - SHOWN_SOURCES
  const shown = publishers.slice(0, SHOWN_SOURCES).join(', ') || attribution || 'a report to the desk'
  return more > 0 ? `${shown} and ${more} more` : shown
}
