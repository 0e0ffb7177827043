import type { IncidentType } from '../../domain/taxonomy.ts'
import type { Action } from './actions.ts'
import type { Actor } from './actors.ts'

/** A rule fits a sentence that has one of each list; an absent list fits any. */
export interface TypeRule {
  readonly type: IncidentType
  readonly actors?: readonly Actor[]
  /** A second list that must be met as well: fighting has two sides. */
  readonly against?: readonly Actor[]
  readonly actions: readonly Action[]
  readonly without?: readonly (Actor | Action)[]
  /** The sentence must also match. */
  readonly words?: RegExp
  readonly unless?: RegExp
  readonly score: number
  readonly example: string
}
