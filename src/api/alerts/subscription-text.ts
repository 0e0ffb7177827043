import type { Archive } from '../../archive/archive.ts'
import type { CasualtyTotals } from '../../archive/columns/casualty-column.ts'
import { isAlert } from '../../deliveries/alerts/browsers.ts'
import { browserAlertOf } from '../../deliveries/channels/browser-subscription.ts'
import { linkToken } from '../../deliveries/channels/target.ts'
import { addressOf } from '../../deliveries/send/message.ts'
import { invalidBody } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Places } from '../../domain/places.ts'
import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import type { Watch } from '../../domain/watch.ts'
import type { Filter, LiveFilter } from '../../filter/filter.ts'
import { parseAlertFilter } from '../../filter/live-filters.ts'
import type { Geography } from '../../geo/geography.ts'
import { placeText } from '../../i18n/texts.ts'
import type { MessageKey, Translate } from '../../i18n/translate.ts'
import { dayText } from '../../lib/nigeria-time.ts'
import { numberText } from '../../lib/text.ts'
import { durationMs } from '../../lib/time.ts'
import { survivingId } from '../incidents/incidents.ts'
import { timeResponse } from '../response.ts'

interface ShownAlert {
  readonly area: string
  readonly since: string
  readonly link: string
}

/** Describes an alert to its own browser; null for a watch of an account. */
export function alertOfBrowser(watch: Watch, publicUrl: string, geography: Geography, t: Translate): ShownAlert | null {
  const alert = isAlert(watch) ? browserAlertOf(addressOf(watch.secrets)) : null
  if (alert === null) return null
  return {
    area: areaOf(watch, geography, t) ?? alert.label,
    since: timeResponse(watch.createdAt),
    link: `${publicUrl}/alerts/${linkToken(watch.id, alert.key)}`,
  }
}

/**
 * In the language of the page; null for an incident that is followed, or if the filter names a
 * place no more.
 */
function areaOf({ filter: { given } }: Watch, geography: Geography, t: Translate): string | null {
  const filter = parseAlertFilter(JSON.parse(given), '', geography.places)
  if ('errors' in filter || filter.value.incidents !== null) return null
  return alertText({ ...filter.value, incidents: null }, geography, t)
}

/** The sentences that differ between an alert for an area and one that follows an incident. */
const SENTENCES = {
  area: {
    heading: 'alerts.heading',
    intro: 'alerts.intro',
    promise: 'alerts.promise',
    confirmed: 'alerts.confirmed',
    mail: 'alerts.mail_text',
  },
  incident: {
    heading: 'alerts.follow_heading',
    intro: 'alerts.follow_intro',
    promise: 'alerts.follow_promise',
    confirmed: 'alerts.follow_confirmed',
    mail: 'alerts.follow_mail_text',
  },
} as const satisfies Record<string, Record<string, MessageKey>>
export type AlertSentences = (typeof SENTENCES)[keyof typeof SENTENCES]

/** Takes a filter as it is stored. */
export function sentencesOf({ canonical }: { readonly canonical: string }): AlertSentences {
  return SENTENCES['incident' in (JSON.parse(canonical) as object) ? 'incident' : 'area']
}

interface AlertSubject {
  /** Names an incident by the id that it has now. */
  readonly filter: LiveFilter
  readonly label: string
  readonly sentences: AlertSentences
  readonly incident: Incident | null
}

/** Says what an alert is about. Throws a `Problem` for an incident that is not public. */
export function alertSubject(
  filter: LiveFilter,
  archive: Archive,
  geography: Pick<Geography, 'places' | 'locate'>,
  t: Translate,
): AlertSubject {
  const { incidents } = filter
  if (incidents === null)
    return {
      filter,
      label: alertText({ ...filter, incidents }, geography, t),
      sentences: SENTENCES.area,
      incident: null,
    }
  const id = survivingId(archive, incidents[0]!)
  const slot = archive.slotOf(id)
  if (slot === null)
    throw invalidBody([{ pointer: '/filter/incident', message: `names no public incident: ${incidents[0]}` }])
  const incident = archive.incidentOf(slot)
  const label = followedText(incident, t)
  return { filter: { ...filter, incidents: [id] }, label, sentences: SENTENCES.incident, incident }
}

/** Says in words what an alert is about: `Chikun, Kaduna · High and above`. */
function alertText(filter: Filter, { places, locate }: Pick<Geography, 'places' | 'locate'>, t: Translate) {
  const lowest = lowestSeverity(filter)
  const severity =
    lowest === null ? filterTexts({ ...filter, types: null, minConfidence: null }, t) : [aboveText(lowest, t)]
  const types = filterTexts({ ...filter, severities: null, minConfidence: null }, t)
  return [areaText(filter, places, locate, t), ...types, ...(filter.severities === null ? [] : severity)].join(' · ')
}

/**
 * Says in words which incident an alert follows, and nothing that anybody wrote: `Kidnapping in
 * Chikun, Kaduna, 3 Nov 2026`.
 */
function followedText(incident: Incident, t: Translate): string {
  const [type, day] = [t(`common.type_${incident.type}`), dayText(incident.occurred_at)]
  return t('page.incident_title', { type, place: placeText(incident), day })
}

function areaText(filter: Filter, places: Places, locate: Geography['locate'], t: Translate): string {
  const { states, lgas, circle, region, route, box } = filter
  const parts = [
    ...(states === null && lgas === null
      ? []
      : [placesText({ ...filter, states: statesWithoutLga(filter, places) }, places, t)]),
    ...(circle === null ? [] : [t('alerts.circle', { km: circle.radiusKm, place: pointText(circle, locate) })]),
    ...(route === null ? [] : [t('alerts.road', { km: route.bufferKm })]),
    ...(region === null ? [] : [t('alerts.drawn')]),
    ...(box === null ? [] : [t('alerts.box')]),
  ]
  return parts.join(' · ')
}

/** The name of an LGA has its state already. */
function statesWithoutLga({ states, lgas }: Filter, places: Places): string[] | null {
  if (states === null) return null
  const named = new Set(places.lgas.filter(({ code }) => lgas?.includes(code)).map(({ state }) => state.code))
  return states.filter((code) => !named.has(code))
}

/** `10.52, 7.44 (Chikun)`: the LGA tells the reader whether the point is right. */
function pointText({ lat, lng }: { lat: number; lng: number }, locate: Geography['locate']): string {
  const located = locate(lat, lng)
  return `${lat}, ${lng}${located.kind === 'located' ? ` (${located.lga.name})` : ''}`
}

export function aboveText(severity: Severity, t: Translate): string {
  return t('alerts.and_above', { severity: t(`common.severity_${severity}`) })
}

/** Null unless the filter has all severities from one up. */
function lowestSeverity({ severities }: Filter): Severity | null {
  if (severities === null) return null
  const lowest = SEVERITIES.find((severity) => severities.includes(severity))!
  const above = SEVERITIES.slice(SEVERITIES.indexOf(lowest))
  return above.length === severities.length && lowest !== 'low' ? lowest : null
}

/** Names that are written out; the rest is counted. */
const MAX_NAMES = 4

export function placesText({ states, lgas, box, circle }: Filter, places: Places, t: Translate): string {
  const names = [
    ...named(lgas, places.lgas).map(({ name, state }) => `${name}, ${state.name}`),
    ...named(states, places.states).map(({ name }) => name),
  ]
  if (names.length > 0) return listText(names, t)
  return box || circle ? t('share.part_of_nigeria') : t('share.nigeria')
}

function named<Place extends { readonly code: string }>(
  codes: readonly string[] | null,
  all: readonly Place[],
): Place[] {
  return codes === null ? [] : all.filter(({ code }) => codes.includes(code))
}

/** The days that the view covers, in Lagos: `17 Oct 2026 – 16 Nov 2026`. */
export function daysText({ publishedFrom, publishedTo, since }: Filter, now: number, t: Translate): string {
  const from = publishedFrom ?? (since === null ? null : now - durationMs(since))
  // The end is the first moment after the window.
  const to = Math.min(now, publishedTo === null ? now : publishedTo - 1)
  if (from === null) return t('share.days_all', { day: dayText(to) })
  const [first, last] = [dayText(from), dayText(Math.max(from, to))]
  return first === last ? first : `${first} – ${last}`
}

/** Type, severity and confidence, where the view is restricted by them. */
export function filterTexts({ types, severities, minConfidence }: Filter, t: Translate): string[] {
  return [
    types &&
      listText(
        types.map((type) => t(`common.type_${type}`)),
        t,
      ),
    severities &&
      `${t('common.severity')}: ${severities.map((severity) => t(`common.severity_${severity}`)).join(', ')}`,
    minConfidence !== null && t('share.min_confidence', { count: Math.round(minConfidence * 100) }),
  ].filter((text) => typeof text === 'string')
}

/** `12 killed, 3 injured`; what no source names is left out. */
export function casualtiesText(totals: CasualtyTotals, t: Translate): string {
  const { killed, killedKnown, injured, injuredKnown, abducted, abductedKnown } = totals
  return [
    killedKnown > 0 && t('common.killed', { count: numberText(killed) }),
    injuredKnown > 0 && t('common.injured', { count: numberText(injured) }),
    abductedKnown > 0 && t('common.abducted', { count: numberText(abducted) }),
  ]
    .filter((text) => typeof text === 'string')
    .join(', ')
}

function listText(names: readonly string[], t: Translate): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  const more = names.length - MAX_NAMES
  return more > 0 ? t('share.and_more', { names: shown, count: more }) : shown
}
