import type { CasualtyTotals } from '../../archive/columns/casualty-column.ts'
import type { Places } from '../../domain/places.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Translate } from '../../i18n/translate.ts'
import { dayText } from '../../lib/nigeria-time.ts'
import { numberText } from '../../lib/text.ts'
import { durationMs } from '../../lib/time.ts'

/** Names that are written out; the rest is counted. */
const MAX_NAMES = 4

/** Names the places of a filter, or Nigeria. */
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
