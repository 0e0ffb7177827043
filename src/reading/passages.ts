import type { Casualties } from '../domain/incident.ts'
import type { IncidentType } from '../domain/taxonomy.ts'
import { type Count, readCasualties } from './casualties.ts'
import { type Judged, judgeSentence } from './relevance.ts'
import type { Sentence } from './sentences.ts'
import { type Classified, classify } from './type-rules.ts'

export interface ReadSentence extends Sentence {
  readonly judged: Judged
  /** Null where the sentence tells of nothing that happened. */
  readonly classified: Classified | null
  readonly counts: readonly Count[]
}

/** Sentences of a story about one incident. */
export interface Passage {
  readonly sentences: readonly ReadSentence[]
  readonly start: number
  readonly end: number
}

/** A sentence reports an incident from this score on. */
export const MIN_RELEVANCE = 0.5

const ANOTHER =
  /^(?:[-•*]|\d\)|(?:meanwhile|elsewhere|similarly|also|in a related (?:development|incident)|in (?:another|a separate|a similar|a different|the second) (?:attack|incident|development|raid|case|operation|event)?)\b)|\b(?:in (?:another|a separate|a second|a similar|a different) (?:attack|incident|raid|case|operation|blast|clash|event)|a separate (?:attack|incident)|(?:separately|elsewhere)\b)/i

/** Later in a story: what happened before, told again. */
export const RECAP = {
  words:
    /\b(?:recall(?:s|ed)?|in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?! \d)|last (?:month|year)|in (?:19|20)\d\d|earlier (?:this|in the) (?:year|month|week)|(?:weeks?|months?|years?|days) (?:ago|earlier|before|after)|previous(?:ly)?|has suffered|in recent (?:weeks|months|years))\b/i,
  example: 'In March, 40 people were killed in a similar attack in Anka',
}

/** The sentences of a story, without those that only retell what happened before. */
export function withoutRecaps(sentences: readonly ReadSentence[]): ReadSentence[] {
  let isReported = false
  return sentences.map((sentence, at) => {
    const isRecap = isReported && at > 0 && RECAP.words.test(sentence.text)
    isReported ||= isEventful(sentence)
    return isRecap ? { ...sentence, judged: { ...sentence.judged, score: 0 } } : sentence
  })
}

export function isEventful({ judged, classified }: ReadSentence): boolean {
  return classified !== null && judged.score >= MIN_RELEVANCE
}

/**
 * The speaker is not the one who did it: ": police", "- military", "Police confirm". Keeps all
 * positions.
 */
const ATTRIBUTION =
  /(?:[:–—]| -)\s?(?:\w+ ){0,2}(?:police|military|army|officials?|witness\w*|residents?|sources?|spokes\w+|dhq|authorities|vigilantes?|militia|governor|report|paper|medics|rescuers|villagers|un|navy|emergency services|security sources?)(?:,? (?:and )?\w+){0,2}\s*[.;]?$|^(?:the |nigerian? )?(?:[A-Z]\w+ ){0,3}(?:police|army|military|authorities|officials|residents|dhq)(?: command| headquarters)? (?:ha(?:s|ve) )?(?:confirm(?:s|ed)?|says?|said)\b|\b(?:police|army|military|officials?|residents?|witnesses|authorities|sources) (?:said|says?|told|confirm(?:s|ed)?)\b/gi

const ADDRESS = /https?:\/\/\S+/gi
/**
 * Labels of archives and agencies before a headline; "title" is a word of sport and of courts too.
 */
const LABEL = /^\s*(?:title|headline|subject)(?::|\s{2,}|\t)/i
const blank = (words: string): string => ' '.repeat(words.length)

export function readSentence(sentence: Sentence): ReadSentence {
  const text = sentence.text.replace(ADDRESS, blank).replace(LABEL, blank)
  const plain = text.replace(ATTRIBUTION, blank)
  const classified = classify(plain)
  const counts = classified === null ? [] : readCasualties({ ...sentence, text })
  return { ...sentence, classified, counts, judged: judgeSentence(plain, classified, counts.length > 0) }
}

/** A story has one passage, unless its words say that another incident follows. */
export function passagesOf(sentences: readonly ReadSentence[]): Passage[] {
  const passages: ReadSentence[][] = []
  for (const sentence of sentences) {
    const isNew = passages.some((each) => each.some(isEventful)) && ANOTHER.test(sentence.text) && isEventful(sentence)
    const current = passages.at(-1)
    if (current && !isNew) current.push(sentence)
    else passages.push([sentence])
  }
  return passages.map((each) => ({ sentences: each, start: each[0]!.start, end: each.at(-1)!.end }))
}

interface SettledType {
  readonly type: IncidentType
  readonly score: number
  readonly sentence: ReadSentence
  readonly classified: Classified
}

const FIRST_WEIGHT = 1.6
/** Ten or more people at once, as the taxonomy says. */
const MASS = 10
/** States in which attackers that nobody names are taken for insurgents, with a low score. */
const INSURGENT_STATES: ReadonlySet<string> = new Set(['NG-BO', 'NG-YO'])
const UNNAMED = { from: ['banditry', 'homicide', 'gang_violence'] as readonly IncidentType[], score: 0.45 }

/** The type that most sentences give, the first one counting more. */
export function settleType(sentences: readonly ReadSentence[]): SettledType | null {
  const votes = new Map<IncidentType, number>()
  const telling = sentences.filter(({ classified }) => classified !== null)
  for (const [at, { classified }] of telling.entries()) {
    const weight = classified!.score * (at === 0 ? FIRST_WEIGHT : 1) * (classified!.score < 0.7 ? 0.5 : 1)
    votes.set(classified!.type, (votes.get(classified!.type) ?? 0) + weight)
  }
  let best: IncidentType | null = null
  for (const [type, vote] of votes) if (best === null || vote > votes.get(best)!) best = type
  if (best === null) return null
  const sentence = telling.find(({ classified }) => classified!.type === best)!
  return { type: best, score: sentence.classified!.score, sentence, classified: sentence.classified! }
}

/** Corrects a type by what the other fields say. */
export function refineType(
  { type, score, classified }: SettledType,
  { abducted }: Casualties,
  stateCode: string | null,
): { readonly type: IncidentType; readonly score: number } {
  if (type === 'kidnapping' && abducted !== null && abducted >= MASS) return { type: 'mass_abduction', score }
  const named = ['bandits', 'robbers', 'cultists', 'crowd', 'herders', 'farmers', 'communities'] as const
  const isUnnamed = UNNAMED.from.includes(type) && !named.some((actor) => classified.actors.has(actor))
  if (isUnnamed && stateCode !== null && INSURGENT_STATES.has(stateCode))
    return { type: 'insurgent_attack', score: UNNAMED.score }
  return { type, score }
}
