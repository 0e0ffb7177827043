import type { Casualties } from '../incident.ts'

export type CasualtyFinding = 'agree' | 'close' | 'contradict'

const FIGURES = ['killed', 'injured', 'abducted'] as const
/** Tolls grow while a story is told: up to twice and a few more is still close. */
const CLOSE_FACTOR = 2
const CLOSE_DIFFERENCE = 4
/** A toll this many times the other's is of another event … */
const CONTRADICTING_FACTOR = 5
/** … if the difference is more than this. */
const CONTRADICTING_DIFFERENCE = 10

const TELLING_FIGURE = 5

export interface Tolls {
  readonly casualties: Casualties
  /** What the sources say; the figures of one event are a range. */
  readonly casualties_reported?: readonly Partial<Casualties>[] | null | undefined
}

/** The finding over the figures that both give; null if there is none. A contradiction decides. */
export function compareCasualties(one: Tolls, other: Tolls): CasualtyFinding | null {
  let finding: CasualtyFinding | null = null
  for (const name of FIGURES) {
    const [here, there] = [rangeOf(one, name), rangeOf(other, name)]
    if (here === null || there === null) continue
    const found = compareRanges(here, there)
    if (found === 'contradict') return found
    if (found === 'agree' || finding === null) finding = found ?? finding
  }
  return finding
}

type Range = readonly [low: number, high: number]

function rangeOf({ casualties, casualties_reported }: Tolls, name: (typeof FIGURES)[number]): Range | null {
  const reported = (casualties_reported ?? []).map((each) => each[name])
  const known = [casualties[name], ...reported].filter((figure) => typeof figure === 'number')
  return known.length === 0 ? null : [Math.min(...known), Math.max(...known)]
}

/** Null between close and contradicting: it says nothing. */
function compareRanges(here: Range, there: Range): CasualtyFinding | null {
  const [lower, upper] = here[1] <= there[1] ? [here[1], there[0]] : [there[1], here[0]]
  // Half of all events have a toll of 0 to 4; an equal larger figure is seldom chance.
  if (upper <= lower) return lower < TELLING_FIGURE ? 'close' : 'agree'
  if (upper - lower <= CLOSE_DIFFERENCE || upper <= lower * CLOSE_FACTOR) return 'close'
  return upper - lower > CONTRADICTING_DIFFERENCE && upper > lower * CONTRADICTING_FACTOR ? 'contradict' : null
}
