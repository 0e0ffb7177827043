import type { Incident, TimePrecision } from '../../domain/incident.ts'
import type { Language } from '../../domain/languages.ts'
import type { Retraction } from '../../domain/message-content.ts'
import { worstOf } from '../../domain/schedule.ts'
import type { NamedSites } from '../../domain/sites.ts'
import { confidenceLevel, type IncidentType, SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import type { WatchEvent } from '../../domain/watch.ts'
import { CAP_EXPIRY_HOURS } from '../../formats/cap.ts'
import { describePlace } from '../../formats/xml.ts'
import { casualtiesText, dateAndTimeText, dateText, monthText, placeText } from '../../i18n/texts.ts'
import type { MessageKey, Translate } from '../../i18n/translate.ts'
import { calendarDay } from '../../lib/nigeria-time.ts'
import { pageAddress } from './target.ts'

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

/** The content of a message, before any channel has given it a form. */
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
  /** Further watches of the same receiver that the message is for: they match the same. */
  readonly others?: readonly MessageWatch[] | undefined
  /** Further incidents in the same message. */
  readonly further?: readonly IncidentMessage[] | undefined
}

export interface MessageWatch {
  readonly watchId: string
  readonly watchName: string
  /** The address of its messages, as it is stored. */
  readonly target: string
}

/** Without what names the delivery. */
export type IncidentMessage = Omit<ChannelMessage, 'id' | 'watchId'>

export interface AlertContext {
  /** The address of the service, for links. */
  readonly publicUrl: string
  /** The operator's advice, by type. */
  readonly advice: Advice
  /** The words of a language: all are loaded when messages are written. */
  readonly wordsIn: (language: Language) => Translate
}
export type Advice = Readonly<Partial<Record<IncidentType, string>>>

const KINDS = {
  'incident.created': 'new',
  'incident.updated': 'corrected',
  'incident.retracted': 'retracted',
} as const satisfies Record<WatchEvent, AlertKind>

/** The context, and the words of the reader. */
interface Writing extends AlertContext {
  readonly language: Language
  readonly t: Translate
}

/** An alert of all that the message tells. */
export function alertOf(message: IncidentMessage, context: AlertContext, language: Language): Alert {
  const { further = [] } = message
  const writing = { ...context, language, t: context.wordsIn(language) }
  if (further.length === 0) return singleAlert(message, writing)
  const told = [message, ...further].map((each) => digestIncidentOf(each, writing))
  return digestOf(told, writing)
}

function digestIncidentOf(message: IncidentMessage, writing: Writing): DigestIncident {
  const incident = JSON.parse(message.document) as Incident | Retraction
  const whole = isWhole(incident) ? incident : null
  const { t } = writing
  return {
    alert: singleAlert(message, writing),
    type: incident.type,
    state: incident.state,
    detail:
      whole &&
      [...siteFacts(message.sites, t).map(({ value }) => value), whenText(whole, t), sureText(whole, t)].join(' · '),
    advice: whole && (writing.advice[whole.type] ?? null),
  }
}

function singleAlert(message: IncidentMessage, writing: Writing): Alert {
  const { event, watchName, test, document, sites, others = [] } = message
  const { t, language, publicUrl, advice } = writing
  const incident = JSON.parse(document) as Incident | Retraction
  const kind = KINDS[event]
  const title = titleOf(incident, kind, t)
  const common = {
    kind,
    incidentId: incident.id,
    language,
    severity: incident.severity,
    title: cut(test ? t('messages.test', { title }) : title, 140),
    link: pageAddress(publicUrl, `/incidents/${incident.id}`, language),
    linkText: t('messages.open_incident'),
    entries: [],
    footer: cut([SERVICE, watchName, ...others.map((other) => other.watchName)].join(' · '), 200),
    adviceLabel: t('messages.what_to_do'),
  }
  return isWhole(incident)
    ? { ...common, ...contentOf(incident, kind, sites, advice, t) }
    : {
        ...common,
        summary: null,
        facts: [...retractedFacts(incident, t), ...siteFacts(sites, t)],
        advice: null,
        note: t(incident.status === 'merged' ? 'messages.merged_note' : 'messages.withdrawn_note'),
      }
}

function isWhole(incident: Incident | Retraction): incident is Incident {
  return 'summary' in incident
}

/** `Corrected: Kidnapping in Chikun, Kaduna`. */
function titleOf(incident: Incident | Retraction, kind: AlertKind, t: Translate): string {
  const title = t('messages.headline', { type: t(`common.type_${incident.type}`), place: placeText(incident) })
  if (kind === 'new') return title
  return t(kind === 'corrected' ? 'messages.corrected' : 'messages.withdrawn', { title })
}

function contentOf(
  incident: Incident,
  kind: AlertKind,
  sites: NamedSites | undefined,
  advice: Advice,
  t: Translate,
): Pick<Alert, 'summary' | 'facts' | 'advice' | 'note'> {
  const written = advice[incident.type]
  return {
    summary: cut(incident.summary, MAX_SUMMARY_LENGTH),
    facts: [
      { label: t('panel.where'), value: describePlace(incident) },
      ...siteFacts(sites, t),
      { label: t('panel.when'), value: whenText(incident, t) },
      { label: t('common.severity'), value: t(`common.severity_${incident.severity}`) },
      { label: t('messages.how_sure'), value: sureText(incident, t) },
      ...casualtyFacts(incident, t),
      { label: t('panel.sources'), value: sourcesText(incident, t) },
    ].map(({ label, value }) => ({ label, value: cut(value, MAX_FACT_LENGTH) })),
    advice: written === undefined ? null : cut(written, MAX_ADVICE_LENGTH),
    note: `${kind === 'corrected' ? `${t('messages.replaces')} ` : ''}${validityText(incident, t)}`,
  }
}

/** A retraction names sites without distances. None if the incident left the list. */
function siteFacts(sites: NamedSites | undefined, t: Translate): Fact[] {
  if (sites === undefined || sites.nearest.length === 0) return []
  const shown = sites.nearest.slice(0, SHOWN_SITES)
  const texts = shown.map(({ name, distance_km }) =>
    distance_km === undefined
      ? cut(name, MAX_SITE_NAME_LENGTH)
      : `${cut(name, MAX_SITE_NAME_LENGTH)} (${distance_km} km)`,
  )
  const more = sites.nearest.length + sites.more - shown.length
  return [{ label: t('messages.sites'), value: withMore(texts.join(', '), more, t) }]
}

function withMore(names: string, more: number, t: Translate): string {
  return more > 0 ? t('messages.and_more', { names, count: more }) : names
}

function retractedFacts(retraction: Retraction, t: Translate): Fact[] {
  const { type, severity } = retraction
  return [
    { label: t('messages.what'), value: t(`common.type_${type}`) },
    { label: t('panel.where'), value: placeText(retraction) },
    {
      label: t('common.severity'),
      value: t('messages.as_reported', { severity: t(`common.severity_${severity}`) }),
    },
  ]
}

/** A message that never ends would be read as true for ever. */
function validityText({ updated_at }: Incident, t: Translate): string {
  const until = Date.parse(updated_at) + CAP_EXPIRY_HOURS * HOUR_MS
  return t('messages.valid_until', { time: dateAndTimeText(until, t) })
}

/** The time as exactly as it is known, on a clock in Nigeria. */
const TIMES: Readonly<Record<TimePrecision, (time: string, t: Translate) => string>> = {
  exact: dateAndTimeText,
  hour: (time, t) => t('messages.about', { time: dateAndTimeText(time, t) }),
  day: dateText,
  week: (time, t) => t('panel.in_week_of', { day: dateText(time, t) }),
  month: monthText,
  year: (time) => String(calendarDay(time).year),
}

function whenText({ occurred_at, occurred_until, time_precision }: Incident, t: Translate): string {
  const from = TIMES[time_precision](occurred_at, t)
  const until = occurred_until === undefined ? from : TIMES[time_precision](occurred_until, t)
  return until === from ? from : t('messages.period', { from, until })
}

function sureText({ confidence, sources }: Incident, t: Translate): string {
  return t('messages.sure', {
    level: t(`common.confidence_${confidenceLevel(confidence)}`),
    confidence,
    sources: t('messages.sources', { count: sources.length }),
  })
}

function casualtyFacts({ casualties }: Incident, t: Translate): Fact[] {
  const value = casualtiesText(casualties, t)
  return value === '' ? [] : [{ label: t('panel.casualties'), value }]
}

function sourcesText({ sources, attribution }: Incident, t: Translate): string {
  const publishers = [...new Set(sources.map(({ publisher }) => publisher))]
  const shown = publishers.slice(0, SHOWN_SOURCES).join(', ') || attribution || t('messages.desk')
  return withMore(shown, publishers.length - SHOWN_SOURCES, t)
}

type AlertKind = 'new' | 'corrected' | 'retracted'

/**
 * The content of a message for people, complete by the rule of public warnings: who says it, what,
 * where, when, how sure, what to do, where to read more, and until when it counts. Plain text: each
 * channel escapes it.
 */
export interface Alert {
  readonly kind: AlertKind
  readonly incidentId: string
  /** Of everything but what editors and the operator wrote. */
  readonly language: Language
  readonly severity: Severity
  readonly title: string
  readonly summary: string | null
  readonly facts: readonly Fact[]
  /** The operator's advice for this type of incident. */
  readonly advice: string | null
  /** The heading above the advice. */
  readonly adviceLabel: string
  /** Says whether it replaces a message, and how long it counts. */
  readonly note: string
  readonly link: string
  /** Names what the link opens, as an order to the reader. */
  readonly linkText: string
  /** One line for each of several incidents; `summary` has them without links. */
  readonly entries: readonly AlertEntry[]
  readonly footer: string
}

export interface AlertEntry {
  readonly text: string
  readonly link: string
}

interface Fact {
  readonly label: string
  readonly value: string
}

/** All channels hold this many with their links: one takes only 4,096 characters. */
export const MAX_ENTRIES = 12
const MAX_ENTRY_LENGTH = 160

/** One incident of a digest. */
interface DigestIncident {
  readonly alert: Alert
  readonly type: IncidentType
  readonly state: string
  /** Its sites, its time, and how sure it is; null if it was withdrawn. */
  readonly detail: string | null
  readonly advice: string | null
}

const KIND_KEYS = {
  new: 'panel.new_arrivals',
  corrected: 'messages.digest_corrected',
  retracted: 'messages.digest_withdrawn',
} as const satisfies Record<AlertKind, MessageKey>

/** One alert of several incidents, worst first. */
function digestOf(told: readonly DigestIncident[], { publicUrl, language, t }: Writing): Alert {
  const map = pageAddress(publicUrl, '/', language)
  const inOrder = told.toSorted((one, other) => rank(other) - rank(one))
  const entries = inOrder.slice(0, MAX_ENTRIES).map((each) => entryOf(each, t))
  const more = told.length - entries.length
  if (more > 0) entries.push({ text: t('messages.more_on_map', { count: more }), link: map })
  const kinds = groups(told.map(({ alert }) => alert.kind)).map(([kind, count]) => t(KIND_KEYS[kind], { count }))
  const severities = inOrder.map(({ alert }) => t(`common.severity_${alert.severity}`).toLowerCase())
  const states = inOrder.map(({ state }) => state)
  return {
    // Of none of them: a notification of one incident must not replace that of all.
    incidentId: `digest-${told[0]!.alert.incidentId}`,
    kind: told.every(({ alert }) => alert.kind === 'retracted') ? 'retracted' : 'new',
    language,
    severity: worstOf(told.map(({ alert }) => alert.severity)),
    title: t('messages.digest_title', { count: told.length, kinds: kinds.join(', ') }),
    summary: entries.map(({ text }) => `• ${text}`).join('\n'),
    facts: [
      { label: t('common.severity'), value: cut(counted(severities, t), MAX_FACT_LENGTH) },
      { label: t('panel.where'), value: cut(counted(states, t), MAX_FACT_LENGTH) },
    ],
    advice: adviceOf(inOrder, t),
    adviceLabel: t('messages.what_to_do'),
    note: t('messages.digest_note', { hours: CAP_EXPIRY_HOURS }),
    link: map,
    linkText: t('messages.open_map'),
    entries,
    footer: told[0]!.alert.footer,
  }
}

/** A withdrawn incident comes first: somebody may rely on it. */
function rank({ alert }: DigestIncident): number {
  return alert.kind === 'retracted' ? SEVERITIES.length : SEVERITIES.indexOf(alert.severity)
}

function entryOf({ alert, detail }: DigestIncident, t: Translate): AlertEntry {
  const severity = detail === null ? '' : `${t(`common.severity_${alert.severity}`)} · `
  const text = `${severity}${alert.title}${detail === null ? '' : ` · ${detail}`}`
  return { text: cut(text, MAX_ENTRY_LENGTH), link: alert.link }
}

/** Returns `3 Kaduna, 1 Kano`, for example. */
function counted(words: readonly string[], t: Translate): string {
  return groups(words)
    .map(([what, count]) => t('messages.counted', { what, count }))
    .join(', ')
}

/** Counts each word; those that come first stay first. */
function groups<Word extends string>(words: readonly Word[]): [Word, number][] {
  return [...Map.groupBy(words, (word) => word)].map(([word, each]) => [word, each.length])
}

/** The operator's advice for each type, as far as there is room for it. */
function adviceOf(told: readonly DigestIncident[], t: Translate): string | null {
  const byType = new Map(told.flatMap(({ type, advice }) => (advice === null ? [] : [[type, advice] as const])))
  const texts = [...byType].map(([type, advice]) => `${t(`common.type_${type}`)}: ${advice}`)
  return texts.length === 0 ? null : cut(texts.join('\n'), MAX_ADVICE_LENGTH)
}

/** Cuts at `most` UTF-16 units, but no character in two; channels count no more. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
