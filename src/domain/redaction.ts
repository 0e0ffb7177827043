import type { Incident } from './incident.ts'
import { type Actor, type FieldChange, type ModerationRecord, withText } from './moderation.ts'

/** Stands where a text was. */
const REDACTED = '[redacted]'

/** The fields that a redaction can take out as a whole; `all` is every one of them. */
export const REDACTABLE_FIELDS = {
  summary: 'the summary',
  text: 'the original text of the report',
  sources: 'the sources, and the names of sources beside their figures',
  notes: 'the notes of the history',
  place: 'the name of the place; state and LGA stay',
  point: "the coordinates, replaced by the centre of the LGA, or of the state's LGAs",
  casualties: 'the figures',
  contact: 'the contact of whoever sent a tip',
} as const
export type RedactableField = keyof typeof REDACTABLE_FIELDS
export const REDACTABLE_FIELD_NAMES = Object.keys(REDACTABLE_FIELDS) as RedactableField[]

export const MAX_WORDS = 20
export const MAX_WORD_LENGTH = 100

export interface RedactionRequest {
  readonly fields: readonly RedactableField[]
  /** Taken out of every text, however they are written: a victim's name. */
  readonly words: readonly string[]
}

/** The trace of a redaction: that it was, not what it took out. */
export interface RedactionRecord {
  readonly id: string
  readonly incidentId: string
  /** The incident and those that were merged with it. */
  readonly incidentIds: readonly string[]
  readonly at: number
  readonly by: Actor
  readonly fields: readonly RedactableField[]
  /** The number of times that each word was found, in the order of the request. */
  readonly found: readonly number[]
  readonly reason: string
  /** Time at which the database no longer held the old content; null until then. */
  readonly erasedAt: number | null
}

/** Locates an incident if only its LGA, or its state, is known. */
export type CoarsePoint = (location: Incident['location']) => Coarse
export interface Coarse {
  readonly lat: number
  readonly lng: number
  readonly precision: 'lga' | 'state'
  readonly radius_km: number
}

/** Members that say what, where and when by codes, numbers and lists of values, not by texts. */
const CODED_MEMBERS = new Set(
  `id type category severity state lga state_code lga_code lga_basis precision time_precision
  status reason merged_into merged_from origin source_id digest item_id field dataset import_id`.split(/\s+/),
)

/** Takes content out of everything that is stored about an incident; counts the words it finds. */
export class ContentRedactor {
  readonly #fields: ReadonlySet<RedactableField>
  readonly #words: WordRedactor
  readonly #coarsePoint: CoarsePoint

  constructor({ fields, words }: RedactionRequest, coarsePoint: CoarsePoint) {
    this.#fields = new Set(fields)
    this.#words = new WordRedactor(words)
    this.#coarsePoint = coarsePoint
  }

  get found(): readonly number[] {
    return this.#words.found
  }

  redactIncident(incident: Incident): Incident {
    let next = incident
    if (this.#fields.has('summary')) next = { ...next, summary: REDACTED }
    if (this.#fields.has('sources')) next = withoutSources(next)
    if (this.#fields.has('place')) next = { ...next, location: { ...next.location, place: null } }
    if (this.#fields.has('point')) next = this.#withCoarsePoint(next)
    if (this.#fields.has('casualties')) next = withoutCasualties(next)
    return this.#redactTexts(next)
  }

  redactModeration(moderation: ModerationRecord): ModerationRecord {
    const text = this.#fields.has('text') ? null : moderation.text
    const official = this.#fields.has('sources') ? [] : moderation.official
    const others = this.#redactTexts({ ...moderation, text: null, official })
    return withText({ ...others, text: moderation.text }, this.#redactTexts(text))
  }

  redactNote(note: string | null): string | null {
    if (note === null) return null
    return this.#fields.has('notes') ? REDACTED : this.#words.redactText(note)
  }

  /** Whether the contact of a tip has to go: a word in it leads to the person. */
  erasesContact(contact: string): boolean {
    return this.#words.redactText(contact) !== contact || this.#fields.has('contact')
  }

  /** Old and new values of a step; what they are put back from is gone. */
  redactChanges(changes: readonly FieldChange[]): FieldChange[] {
    return changes.map(({ field, old, new: next }) => ({
      field,
      old: this.#redactValue(field, old),
      new: this.#redactValue(field, next),
    }))
  }

  #redactValue(field: string, value: unknown): unknown {
    if (value === null) return null
    const name = field.replace(/^desk\./, '')
    if (name === 'text' && this.#fields.has('text')) return null
    if ((name === 'lat' || name === 'lng') && this.#fields.has('point')) return null
    if (!FIELD_OF_MEMBER.has(name)) return this.#redactTexts(value, name)
    // The member as it would be in an incident that has only this one.
    const redacted = this.redactIncident({ ...BLANK, [name]: value } as unknown as Incident)
    return redacted[name as keyof Incident] ?? null
  }

  #withCoarsePoint(incident: Incident): Incident {
    const { lat, lng, precision, radius_km } = this.#coarsePoint(incident.location)
    return { ...incident, lat, lng, location: { ...incident.location, precision, radius_km } }
  }

  #redactTexts<Value>(value: Value, member = ''): Value {
    if (typeof value === 'string') return this.#redactText(value, member) as Value
    if (typeof value !== 'object' || value === null || CODED_MEMBERS.has(member)) return value
    if (Array.isArray(value)) return value.map((each) => this.#redactTexts(each, member)) as Value
    const entries = Object.entries(value).map(([name, each]) => [name, this.#redactTexts(each, name)] as const)
    return Object.fromEntries(entries) as Value
  }

  /** An address with a word in it leads to the word: it is taken out as a whole. */
  #redactText(text: string, member: string): string | null {
    if (CODED_MEMBERS.has(member)) return text
    const redacted = this.#words.redactText(text)
    return member === 'url' && redacted !== text ? null : redacted
  }
}

/** The members of an incident that fields are taken out of. */
const FIELD_OF_MEMBER = new Set(['summary', 'sources', 'location', 'casualties', 'casualties_reported'])
const BLANK = { summary: '', sources: [], location: {}, casualties: {} }

function withoutSources(incident: Incident): Incident {
  const figures = incident.casualties_reported?.map((each) => ({ ...each, source: REDACTED }))
  return { ...incident, sources: [], ...(figures && { casualties_reported: figures }) }
}

function withoutCasualties({ casualties_reported: _, ...incident }: Incident): Incident {
  return { ...incident, casualties: { killed: null, injured: null, abducted: null } }
}

/** Between the words of a name: a space, a hyphen or, in an address, an escape. */
const SEPARATOR = '(?:[\\s\\p{P}+]|%20)+'
/** Letters that accents are not separated from. */
const HOOKED: Readonly<Record<string, string>> = { b: 'ɓ', d: 'ɗ', k: 'ƙ', y: 'ƴ', n: 'ŋ', e: 'ɛǝ', o: 'ɔ', i: 'ı' }

/** Replaces words in texts and counts what it finds. */
export class WordRedactor {
  /** The number of times that each word was found, in the order of the constructor's words. */
  readonly found: number[]
  readonly #patterns: readonly RegExp[]
  /** The longest first: "Amina Bello" before "Bello". */
  readonly #order: readonly number[]

  constructor(words: readonly string[]) {
    this.found = words.map(() => 0)
    this.#patterns = words.map(patternOf)
    this.#order = words.map((_, index) => index).sort((one, other) => words[other]!.length - words[one]!.length)
  }

  /** Returns the same text if it has none of the words. */
  redactText(text: string): string {
    if (this.#order.length === 0) return text
    // Decomposed, an accent is a character of its own, which the pattern skips.
    let result = text.normalize('NFD')
    let changed = false
    for (const index of this.#order) {
      result = result.replace(this.#patterns[index]!, () => {
        this.found[index]!++
        changed = true
        return REDACTED
      })
    }
    return changed ? result.normalize('NFC') : text
  }

  has(text: string): boolean {
    const plain = text.normalize('NFD')
    return this.#patterns.some((pattern) => plain.search(pattern) >= 0)
  }
}

/** Whether a text has letters or digits enough to be looked for. */
export function isSearchable(word: string): boolean {
  return (word.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2
}

/** Whole words, in any case, with or without accents, however their parts are separated. */
function patternOf(word: string): RegExp {
  const parts = word.normalize('NFD').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const source = parts.map((part) => [...part.replace(/\p{M}/gu, '')].map(letterPattern).join('')).join(SEPARATOR)
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, 'giu')
}

function letterPattern(letter: string): string {
  return `[${letter}${HOOKED[letter.toLowerCase()] ?? ''}]\\p{M}*`
}
