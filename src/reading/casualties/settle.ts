import type { Casualties } from '../../domain/incident.ts'
import { HARM } from './casualty-rules.ts'
import type { Count } from './read-casualties.ts'

export interface Settled {
  readonly casualties: Casualties
  /** The counts that were taken. */
  readonly from: readonly Count[]
}

/** A later toll knows more than an earlier number. */
const FINAL_WEIGHT = 2
/** "A policeman was killed" may be one of several. */
const SINGLE_WEIGHT = 0.2

/**
 * One number of each: the one that most sentences give, doubtful ones counting less. Of several,
 * the first counts; of headlines that retell one incident in the order of their publication, the
 * last, which knows most.
 */
export function settleCasualties(counts: readonly Count[], retold: boolean): Settled {
  const from: Count[] = []
  const casualties: Casualties = { killed: null, injured: null, abducted: null }
  for (const harm of HARM) {
    const all = counts.filter((count) => count.harm === harm)
    const chosen = likeliest(all, retold)
    if (!chosen) continue
    casualties[harm] = chosen.value
    from.push(chosen)
  }
  return { casualties, from }
}

function likeliest(counts: readonly Count[], retold: boolean): Count | undefined {
  const weights = new Map<number, number>()
  for (const { value, score, single, final } of counts) {
    const weight = score * (single ? SINGLE_WEIGHT : 1) * (final ? FINAL_WEIGHT : 1)
    weights.set(value, (weights.get(value) ?? 0) + weight)
  }
  const most = Math.max(...weights.values())
  const isLikeliest = ({ value }: Count): boolean => weights.get(value)! >= most - 1e-9
  return retold ? counts.findLast(isLikeliest) : counts.find(isLikeliest)
}
