import type { Casualties } from '../../domain/incident.ts'
import { HARM } from './casualty-rules.ts'
import type { Count } from './read-casualties.ts'

export interface Settled {
  readonly casualties: Casualties
  /** The counts that were taken. */
  readonly from: readonly Count[]
}

/**
 * One number of each: a later toll, else the number that most sentences give, else the first. Of
 * headlines that retell one incident in the order of their publication, the last knows most.
 */
export function settleCasualties(counts: readonly Count[], retold: boolean): Settled {
  const from: Count[] = []
  const casualties: Casualties = { killed: null, injured: null, abducted: null }
  for (const harm of HARM) {
    const all = counts.filter((count) => count.harm === harm)
    const numbered = all.filter(({ score }) => score > 0.7)
    const known = numbered.length > 0 ? numbered : all
    const chosen = known.findLast(({ final }) => final) ?? (retold ? known.at(-1) : mostFrequent(known))
    if (!chosen) continue
    casualties[harm] = chosen.value
    from.push(chosen)
  }
  return { casualties, from }
}

function mostFrequent(counts: readonly Count[]): Count | undefined {
  const times = new Map<number, number>()
  for (const { value } of counts) times.set(value, (times.get(value) ?? 0) + 1)
  return counts.reduce<Count | undefined>(
    (best, count) => (best === undefined || times.get(count.value)! > times.get(best.value)! ? count : best),
    undefined,
  )
}
