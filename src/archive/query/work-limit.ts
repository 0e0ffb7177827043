import { Problem } from '../../domain/errors.ts'
import type { Filter } from '../../filter/filter.ts'

/**
 * The most comparisons of incidents with positions of shapes in one question: the largest polygon
 * and route on 1,300,000 incidents. Indexes of the shapes spare nearly all of them, which leaves
 * about two seconds of a processor; a shape could be drawn so that they do not.
 */
export const MAX_COMPARISONS = 2_000_000_000

/** Comparisons in one step, a fraction of a millisecond. */
const COMPARISONS_PER_STEP = 100_000

/** The grid of sites leaves about this share of a list to compare with. */
const COMPARED_SITES = 1 / 25

/**
 * The positions of the filter's polygon, route and sites, each of which an incident is compared
 * with.
 */
export function positionsIn({ region, route, sites }: Pick<Filter, 'region' | 'route' | 'sites'>): number {
  const rings = region?.polygons.flat() ?? []
  return (
    rings.reduce((sum, ring) => sum + ring.length / 2, 0) +
    (route?.line.length ?? 0) / 2 +
    Math.ceil((sites?.size ?? 0) * COMPARED_SITES)
  )
}

/** Looking for words in a summary takes as long as this many comparisons with positions. */
const COMPARISONS_PER_SUMMARY = 200

/**
 * Limits what one question with a shape or with words may cost; they alone cost more than a glance.
 */
export class WorkLimit {
  /** The comparisons for one incident. */
  readonly #comparisons: number
  #left: number

  constructor(filter: Filter, max = MAX_COMPARISONS) {
    this.#comparisons = positionsIn(filter) + (filter.words === null ? 0 : COMPARISONS_PER_SUMMARY)
    this.#left = max
  }

  /** The number of incidents that one step may compare. */
  get incidentsPerStep(): number {
    return Math.max(1, Math.floor(COMPARISONS_PER_STEP / Math.max(1, this.#comparisons)))
  }

  /** Throws a `Problem` if the question has compared too much. */
  countCompared(incidents: number): void {
    this.#left -= incidents * this.#comparisons
    if (this.#left >= 0) return
    throw new Problem(
      'too_much_work',
      `The question compares more incidents with its shape or its words than one question may ` +
        `(${MAX_COMPARISONS.toLocaleString('en')} comparisons, ${this.#comparisons} for each incident). Shorten the window of time, give states, LGAs or types as well, or simplify the shape.`,
    )
  }
}
