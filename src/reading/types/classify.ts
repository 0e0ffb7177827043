import type { IncidentType } from '../../domain/taxonomy.ts'
import { type Span, spanOf } from '../rule.ts'
import { ACTIONS, type Action } from './actions.ts'
import { ACTORS, type Actor } from './actors.ts'
import { TYPE_RULES } from './type-rules.ts'

export interface Classified {
  readonly type: IncidentType
  readonly score: number
  /** Positions in the sentence. */
  readonly evidence: Span
  readonly actors: ReadonlySet<Actor>
  readonly actions: ReadonlySet<Action>
}

/** The type of what a sentence tells; null where it tells of nothing that happened. */
export function classify(sentence: string): Classified | null {
  const actions = new Map<Action, Span>()
  for (const each of ACTIONS) {
    const span = spanOf(each, sentence)
    if (span) actions.set(each.means, span)
  }
  if (actions.size === 0) return null
  const actors = new Map<Actor, Span>()
  for (const each of ACTORS) {
    const span = spanOf(each, sentence)
    if (span) actors.set(each.means, span)
  }
  for (const rule of TYPE_RULES) {
    const action = rule.actions.find((each) => actions.has(each))
    if (action === undefined) continue
    const actor = rule.actors?.find((each) => actors.has(each))
    if (rule.actors && actor === undefined) continue
    if (rule.against && !rule.against.some((each) => each !== actor && actors.has(each))) continue
    if (rule.without?.some((each) => actors.has(each as Actor) || actions.has(each as Action))) continue
    if (rule.unless?.test(sentence) || (rule.words && !rule.words.test(sentence))) continue
    return {
      type: rule.type,
      score: rule.score,
      evidence: actions.get(action)!,
      actors: new Set(actors.keys()),
      actions: new Set(actions.keys()),
    }
  }
  return null
}
