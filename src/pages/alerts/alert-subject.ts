import { survivingId } from '../../api/responses/followed-incident.ts'
import type { Archive } from '../../archive/archive.ts'
import { invalidBody } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import type { LiveFilter } from '../../filter/filter/filter.ts'
import type { Geography } from '../../geo/geography.ts'
import type { MessageKey } from '../../i18n/english.ts'
import type { Translate } from '../../i18n/translate.ts'
import { alertText, followedText } from './area-text.ts'

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

export interface AlertSubject {
  /** Names an incident by the id that it has now. */
  readonly filter: LiveFilter
  readonly label: string
  readonly sentences: AlertSentences
  /** Null for an area. */
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
