import type { Language } from '../../domain/languages.ts'
import { worstOf } from '../../domain/schedule.ts'
import { type IncidentType, SEVERITIES } from '../../domain/taxonomy.ts'
import { CAP_EXPIRY_HOURS } from '../../formats/cap-tables.ts'
import type { MessageKey } from '../../i18n/english.ts'
import type { Translate } from '../../i18n/translate.ts'
import type { Alert, AlertEntry, AlertKind } from './alert-content.ts'
import { pageAddress } from './page-address.ts'
import { cut } from './text.ts'

/**
 * All channels hold this many with their links; 4,096 characters are the least that one of them
 * takes.
 */
export const MAX_ENTRIES = 12
const MAX_ENTRY_LENGTH = 160
const MAX_ADVICE_LENGTH = 600
const MAX_FACT_LENGTH = 200

/** One incident of a digest. */
export interface ToldIncident {
  readonly alert: Alert
  readonly type: IncidentType
  readonly state: string
  /** Which sites it concerns, when, and how sure; null of what was withdrawn. */
  readonly detail: string | null
  readonly advice: string | null
}

const KIND_KEYS = {
  new: 'panel.new_arrivals',
  corrected: 'messages.digest_corrected',
  retracted: 'messages.digest_withdrawn',
} as const satisfies Record<AlertKind, MessageKey>

export interface DigestWriting {
  readonly publicUrl: string
  readonly language: Language
  readonly t: Translate
}

/** One alert of several incidents, worst first. */
export function digestOf(told: readonly ToldIncident[], { publicUrl, language, t }: DigestWriting): Alert {
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

/** What was withdrawn comes first: somebody may rely on it. */
function rank({ alert }: ToldIncident): number {
  return alert.kind === 'retracted' ? SEVERITIES.length : SEVERITIES.indexOf(alert.severity)
}

function entryOf({ alert, detail }: ToldIncident, t: Translate): AlertEntry {
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

/** How often each word is there; those that come first stay first. */
function groups<Word extends string>(words: readonly Word[]): [Word, number][] {
  return [...Map.groupBy(words, (word) => word)].map(([word, each]) => [word, each.length])
}

/** What the operator advises for each type, as far as there is room for it. */
function adviceOf(told: readonly ToldIncident[], t: Translate): string | null {
  const byType = new Map(told.flatMap(({ type, advice }) => (advice === null ? [] : [[type, advice] as const])))
  const texts = [...byType].map(([type, advice]) => `${t(`common.type_${type}`)}: ${advice}`)
  return texts.length === 0 ? null : cut(texts.join('\n'), MAX_ADVICE_LENGTH)
}
