import type { ArchiveView } from '../../../archive/archive-view.ts'
import { NO_DATASET } from '../../../domain/incident.ts'
import type { Filter } from '../../../filter/filter.ts'
import type { Steps } from '../../../lib/steps.ts'

/** More data sets than any feed has. */
const MAX_DATASETS = 12

/** Finds how the data sets among the incidents ask to be credited; by name where they do not. */
export function* findCredits(view: ArchiveView, filter: Filter, now: number): Steps<string[]> {
  const credits = new Set<string>()
  const names = view.datasets.filter((name) => name !== NO_DATASET)
  for (const name of names.slice(0, MAX_DATASETS)) {
    const within = { ...filter, datasets: [name] }
    const { slots } = yield* view.findPage({ filter: within, order: 'newest', limit: 1, after: null, now })
    if (slots[0] !== undefined) credits.add(view.incidentOf(slots[0]).attribution ?? name)
    yield
  }
  return [...credits]
}
