import type { Casualties } from '../domain/incident.ts'
import type { IncidentType } from '../domain/taxonomy.ts'
import { settleCasualties } from './casualties/settle.ts'
import { isEventful, readSentence } from './passages.ts'
import { sentencesOf } from './sentences.ts'
import type { Action } from './types/actions.ts'
import { refineType, settleType } from './types/settle-type.ts'

export interface ClassifiedText {
  readonly type: IncidentType
  readonly score: number
  readonly casualties: Casualties
  readonly actions: ReadonlySet<Action>
}

const MAX_LENGTH = 4000

/**
 * The type and casualties of a text about one incident whose place and time are known; null where
 * it tells of none.
 */
export function classifyText(text: string): ClassifiedText | null {
  const eventful = sentencesOf(text.slice(0, MAX_LENGTH)).map(readSentence).filter(isEventful)
  const settled = settleType(eventful)
  if (settled === null) return null
  const counts = eventful.flatMap((sentence) => sentence.counts)
  const { casualties } = settleCasualties(counts, false)
  return {
    ...refineType(settled, casualties, null),
    casualties,
    actions: new Set(eventful.flatMap(({ classified }) => [...classified!.actions])),
  }
}
