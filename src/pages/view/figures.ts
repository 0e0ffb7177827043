import type { ArchiveView } from '../../archive/archive-view.ts'
import { CasualtySums, type CasualtyTotals } from '../../archive/columns/casualty-column.ts'
import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Steps } from '../../lib/steps.ts'

export interface Figures {
  readonly total: CasualtyTotals
  readonly bySeverity: Readonly<Record<Severity, number>>
}

/** Counts the incidents of a view and sums their casualties. */
export function* findFigures(view: ArchiveView, filter: Filter, now: number): Steps<Figures> {
  const { values, sums } = yield* view.aggregate({ groups: ['severity'], filter, now, periods: [] })
  const total = new CasualtySums(1)
  const bySeverity = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>
  for (const [index, severity] of values[0].entries()) {
    total.addBucket(0, sums, index)
    bySeverity[severity as Severity] = sums.at(index).count
  }
  return { total: total.at(0), bySeverity }
}
