import type { Casualties } from '../../domain/incident.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import type { ReadSentence } from '../passages.ts'
import type { Classified } from './classify.ts'

export interface SettledType {
  readonly type: IncidentType
  readonly score: number
  readonly sentence: ReadSentence
  readonly classified: Classified
}

const FIRST_WEIGHT = 1.6
/** Ten or more people at once, as the taxonomy says. */
const MASS = 10
/** Where attackers that nobody names are taken for insurgents, with a low score. */
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
