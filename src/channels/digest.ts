import { worstOf } from '../domain/schedule/schedule.ts'
import { type IncidentType, SEVERITIES, SEVERITY_DESCRIPTIONS, TYPES } from '../domain/taxonomy.ts'
import { CAP_EXPIRY_HOURS } from '../formats/cap-tables.ts'
import type { Alert, AlertEntry, AlertKind } from './alert-content.ts'
import { cut } from './text.ts'

/** All channels hold this many with their links; 4,096 characters are the least that one of them takes. */
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

const KIND_WORDS = { new: 'new', corrected: 'corrected', retracted: 'withdrawn' } as const satisfies Record<
  AlertKind,
  string
>

/** One alert of several incidents, worst first. */
export function digestOf(told: readonly ToldIncident[], { publicUrl }: { readonly publicUrl: string }): Alert {
  const inOrder = told.toSorted((one, other) => rank(other) - rank(one))
  const entries = inOrder.slice(0, MAX_ENTRIES).map(entryOf)
  const more = told.length - entries.length
  if (more > 0) entries.push({ text: `and ${more} more: open the map`, link: `${publicUrl}/` })
  const kinds = counted(told.map(({ alert }) => KIND_WORDS[alert.kind]))
  const severities = counted(inOrder.map(({ alert }) => SEVERITY_DESCRIPTIONS[alert.severity].label.toLowerCase()))
  return {
    // Of none of them: a notification of one incident must not replace that of all.
    incidentId: `digest-${told[0]!.alert.incidentId}`,
    kind: told.every(({ alert }) => alert.kind === 'retracted') ? 'retracted' : 'new',
    severity: worstOf(told.map(({ alert }) => alert.severity)),
    title: `${told.length} incidents: ${kinds}`,
    summary: entries.map(({ text }) => `• ${text}`).join('\n'),
    facts: [
      { label: 'Severity', value: cut(severities, MAX_FACT_LENGTH) },
      { label: 'Where', value: cut(counted(inOrder.map(({ state }) => state)), MAX_FACT_LENGTH) },
    ],
    advice: adviceOf(inOrder),
    note: `Each counts for ${CAP_EXPIRY_HOURS} hours after its last change, unless a correction comes before; the links have the latest, with all sources.`,
    link: `${publicUrl}/`,
    linkText: 'Open the map',
    entries,
    footer: told[0]!.alert.footer,
  }
}

/** What was withdrawn comes first: somebody may rely on it. */
function rank({ alert }: ToldIncident): number {
  return alert.kind === 'retracted' ? SEVERITIES.length : SEVERITIES.indexOf(alert.severity)
}

function entryOf({ alert, detail }: ToldIncident): AlertEntry {
  const severity = detail === null ? '' : `${SEVERITY_DESCRIPTIONS[alert.severity].label} · `
  const text = `${severity}${alert.title}${detail === null ? '' : ` · ${detail}`}`
  return { text: cut(text, MAX_ENTRY_LENGTH), link: alert.link }
}

/** Returns `3 Kaduna, 1 Kano`, for example; those that come first stay first. */
function counted(words: readonly string[]): string {
  const groups = Map.groupBy(words, (word) => word)
  return [...groups].map(([word, each]) => `${each.length} ${word}`).join(', ')
}

/** What the operator advises for each type, as far as there is room for it. */
function adviceOf(told: readonly ToldIncident[]): string | null {
  const byType = new Map(told.flatMap(({ type, advice }) => (advice === null ? [] : [[type, advice] as const])))
  const texts = [...byType].map(([type, advice]) => `${TYPES[type].label}: ${advice}`)
  return texts.length === 0 ? null : cut(texts.join('\n'), MAX_ADVICE_LENGTH)
}
