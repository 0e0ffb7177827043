import type { Incident } from '../../domain/incident.ts'
import type { Places } from '../../domain/places.ts'
import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter/filter.ts'
import type { Geography } from '../../geo/geography.ts'
import { placeText } from '../../i18n/incident-text.ts'
import type { Translate } from '../../i18n/translate.ts'
import { dayText } from '../../lib/time/nigeria-time.ts'
import { filterTexts, placesText } from '../view/view-text.ts'

/** Says in words what an alert is about: `Chikun, Kaduna · High and above`. */
export function alertText(filter: Filter, { places, locate }: Pick<Geography, 'places' | 'locate'>, t: Translate) {
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
export function followedText(incident: Incident, t: Translate): string {
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
export function lowestSeverity({ severities }: Filter): Severity | null {
  if (severities === null) return null
  const lowest = SEVERITIES.find((severity) => severities.includes(severity))!
  const above = SEVERITIES.slice(SEVERITIES.indexOf(lowest))
  return above.length === severities.length && lowest !== 'low' ? lowest : null
}
