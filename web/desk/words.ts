import type { Status } from '../../src/domain/incident.ts'
import type { DeskOrder, Origin } from '../../src/domain/moderation.ts'

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  reported: 'Open',
  confirmed: 'Confirmed',
  rejected: 'Rejected',
  retracted: 'Retracted',
  merged: 'Merged',
}

export const ORIGIN_WORDS: Readonly<Record<Origin, string>> = {
  api: 'API',
  feed: 'Feed',
  tip: 'Tip',
  import: 'Import',
}

export const ORDER_WORDS: Readonly<Record<DeskOrder, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  severity: 'Most severe first',
  confidence: 'Surest first',
}

export const STEP_WORDS: Readonly<Record<string, string>> = {
  report: 'reported it',
  update: 'corrected it',
  confirm: 'confirmed it',
  reject: 'rejected it',
  merge: 'merged it into another',
  absorb: 'merged another into it',
  retract: 'retracted it',
  reopen: 'reopened it',
  restore: 'restored it',
  unmerge: 'undid the merge',
  note: 'wrote a note',
  take_over: 'took over the claim',
  dismiss_duplicate: 'called it not the same as another',
  offer_duplicate: 'offered it again as a duplicate of another',
  redact: 'redacted it',
  import: 'corrected it by an import',
  undo_import: 'took an import back',
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  occurred_at: 'Time',
  occurred_until: 'Until',
  time_precision: 'Precision of the time',
  lga: 'LGA',
  lat: 'Latitude',
  lng: 'Longitude',
  confidence_reasons: 'Reasons of the confidence',
  'desk.text': 'Text',
  'desk.official': 'Official sources',
  'desk.severity_given': 'Severity set by hand',
}

/** Names a field of the history: `casualties.killed` is `Casualties: killed`. */
export function fieldWords(field: string): string {
  const known = FIELD_WORDS[field]
  if (known !== undefined) return known
  const text = field
    .replace(/^desk\./, '')
    .replaceAll('_', ' ')
    .replaceAll('.', ': ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Shows a value of the history in a few words. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(valueWords).join('; ')
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return members.length === 0
    ? 'nothing'
    : members.map(([name, member]) => `${name.replaceAll('_', ' ')} ${valueWords(member)}`).join(', ')
}
