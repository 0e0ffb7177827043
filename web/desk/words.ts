import type { Status } from '../../src/domain/incident.ts'
import type { DeskOrder, MergedField, Origin } from '../../src/domain/moderation.ts'
import type { Comparison, Finding, MatchReason } from '../../src/domain/near-duplicates.ts'
import { casualtiesText, occurredText, placeText, severityText, typeText } from '../shared/text.ts'
import type { DeskIncident } from './desk-api.ts'

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

export interface Difference {
  readonly field: ComparedField
  readonly label: string
  readonly one: string
  readonly other: string
}

/** The fields that a merge lets one choose, in the order in which an editor compares them. */
const COMPARED = {
  type: ['Type', ({ type }: DeskIncident) => typeText(type)],
  occurred_at: ['When', occurredText],
  location: ['Where', whereText],
  casualties: ['Casualties', ({ casualties }: DeskIncident) => casualtiesText(casualties)],
  severity: ['Severity', ({ severity }: DeskIncident) => severityText(severity)],
  summary: ['Summary', ({ summary }: DeskIncident) => summary],
} as const satisfies Record<MergedField, readonly [string, (incident: DeskIncident) => string]>
export type ComparedField = MergedField

/** The fields in which two incidents differ, in words. */
export function differencesOf(one: DeskIncident, other: DeskIncident): Difference[] {
  return (Object.keys(COMPARED) as ComparedField[])
    .map((field) => {
      const [label, text] = COMPARED[field]
      return { field, label, one: text(one), other: text(other) }
    })
    .filter((difference) => difference.one !== difference.other)
}

export function whereText(incident: DeskIncident): string {
  const { place } = incident.location
  return place === null || place === incident.lga ? placeText(incident) : `${place}, ${placeText(incident)}`
}

/** The findings of each comparison in words. Null: it says nothing for or against. */
const FOUND: { readonly [Name in Comparison]: Readonly<Record<Finding<Name>, string | null>> } = {
  place_name: {
    same: 'the same place name',
    similar: 'similar place names',
    in_text: 'one names the other’s place',
    different: 'different place names',
  },
  distance: { same_spot: 'the same spot', possible: null, apart: 'places far apart' },
  lga: { same: 'the same LGA', different: 'different LGAs' },
  time: { same_day: 'the same day', next_day: 'one day apart', days_apart: 'days apart', possible: null },
  type: { same: 'the same type', related: null, other: 'another type' },
  words: {
    most: 'mostly the same words',
    several: 'many words alike',
    some: 'some words alike',
    none: 'no word alike',
  },
  casualties: { agree: 'the same casualties', close: null, contradict: 'casualties that contradict' },
  source: { same: 'the same source' },
}

interface MatchWords {
  readonly for: readonly string[]
  readonly against: readonly string[]
}

/** The reasons for and against two reports being of one incident; the strongest first. */
export function matchWords(reasons: readonly MatchReason[]): MatchWords {
  const words = (sign: 1 | -1) =>
    reasons
      .filter(({ weight }) => weight * sign > 0)
      .map(({ reason, finding }) => (FOUND[reason] as Readonly<Record<string, string | null>>)[finding] ?? null)
      .filter((word) => word !== null)
  return { for: words(1), against: words(-1) }
}

/** A stretch of text, and the field that its words may stand for. */
export interface Passage {
  readonly text: string
  readonly field: 'place' | 'casualties' | null
}

const NUMBER_WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ')

/** Cuts a report's text where its words name the place or a number of casualties. */
export function passagesIn(text: string, incident: DeskIncident): Passage[] {
  const { location, lga, state, casualties } = incident
  const names = [location.place, lga, state].filter((name) => name !== null && name.length > 2)
  const counts = Object.values(casualties).filter((count) => count !== null && count > 0)
  const numbers = counts
    .flatMap((count) => [String(count), NUMBER_WORDS[count!] ?? null])
    .filter((word) => word !== null)
  const words = [
    ...names.map((name) => [name!, 'place'] as const),
    ...numbers.map((word) => [word, 'casualties'] as const),
  ]
  if (words.length === 0) return [{ text, field: null }]
  const fields = new Map(words.map(([word, field]) => [plain(word), field]))
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(${words.map(([word]) => escaped(word)).join('|')})(?![\\p{L}\\p{N}])`,
    'giu',
  )
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, field: index % 2 === 1 ? (fields.get(plain(part)) ?? null) : null }))
    .filter((passage) => passage.text !== '')
}

/** One form for `Gonin Gora` and `GONIN-GORA`. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s-]+/g, ' ')
}

function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/[\s-]+/g, '[\\s-]+')
}
