import { NUMBER } from '../casualties/numbers.ts'
import type { Classified } from '../types/classify.ts'
import { HAPPENED, OTHER_TOPICS, type OtherTopic } from './relevance-rules.ts'

/** Topics that exclude a sentence even where it has an attacker and victims. */
export const STRONG: ReadonlySet<OtherTopic> = new Set([
  'court',
  'past',
  'sport',
  'arts',
  'drill',
  'figure of speech',
  'warning',
])

/** Topics whose words stand in reports of attacks too: "polling stations", "market", "crash". */
const WEAK: ReadonlySet<OtherTopic> = new Set(['politics', 'analysis', 'economy', 'accident'])
const ARMED = ['insurgents', 'bandits', 'herders', 'cultists', 'gunmen', 'robbers', 'separatists', 'troops'] as const

/** Topics that a toll at the beginning of a sentence does not outweigh. */
const NEVER: ReadonlySet<OtherTopic> = new Set(['court', 'sport', 'arts', 'accident', 'nature', 'drill'])
/** "Three killed in …", "Boko Haram kills three, …": what the sentence is about comes first. */
const TOLL_FIRST = new RegExp(
  `^(?:(?:at least|no fewer than|over|about|many|scores|several) )?(?:${NUMBER} (?:[\\w-]+ ){0,4}(?:killed|dead|die[sd]?|shot|abducted|kidnapped|slain)\\b|(?:[\\w'’-]+ ){1,4}(?:kill|abduct|kidnap|behead|murder|slaughter)(?:s|ed|ped|ing)? (?:at least )?${NUMBER}\\b)`,
  'i',
)

/** "Governor visits as nine die in …": in a headline, the clause after "as" is the news. */
const TOLL_AFTER_AS = new RegExp(
  `\\bas (?:(?:at least|no fewer than|over|about) )?${NUMBER} (?:[\\w-]+ ){0,3}(?:(?:are|were|feared) )?(?:killed|dead|die|massacred|slain|abducted|kidnapped)\\b`,
  'i',
)

export interface Judged {
  /** From 0, no incident, to 1. */
  readonly score: number
  readonly topics: readonly OtherTopic[]
}

/** How likely a sentence reports that something has just happened. */
export function judgeSentence(sentence: string, classified: Classified | null, counted: boolean): Judged {
  const topics = OTHER_TOPICS.filter(({ words }) => words.test(sentence)).map(({ means }) => means)
  const happened = counted || HAPPENED.some(({ words }) => words.test(sentence))
  if (!happened) return { score: topics.length > 0 ? 0 : 0.35, topics }
  if (topics.length === 0) return { score: 1, topics }
  if (
    counted &&
    (TOLL_FIRST.test(sentence) || TOLL_AFTER_AS.test(sentence)) &&
    !topics.some((topic) => NEVER.has(topic))
  )
    return { score: 0.7, topics }
  const armed = classified !== null && ARMED.some((actor) => classified.actors.has(actor))
  const excused = topics.every((topic) => WEAK.has(topic) && (armed || topic !== 'accident'))
  if ((armed || counted) && excused) return { score: 0.6, topics }
  const strong = topics.filter((topic) => STRONG.has(topic)).length
  return { score: strong > 0 ? 0.1 : topics.length > 1 ? 0.2 : 0.4, topics }
}
