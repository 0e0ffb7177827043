import { type Month, monthOf, monthStart } from '../lib/time/month.ts'
import type { Columns } from './columns/columns.ts'
import type { SegmentList } from './segments/segment-list.ts'

/**
 * Lists the months that have incidents, newest first, with their counts; `size` is that of the
 * list.
 */
export function countByMonth(
  list: SegmentList,
  { publishedAt }: Columns,
  size: number,
): { month: Month; incidents: number }[] {
  const { first, last } = list
  if (first === null || last === null) return []
  const months: { month: Month; incidents: number }[] = []
  const oldest = monthOf(publishedAt[first]!)
  for (let month = monthOf(publishedAt[last]!), above = size; month >= oldest; month--) {
    const below = list.countBefore(monthStart(month))
    if (above > below) months.push({ month, incidents: above - below })
    above = below
  }
  return months
}
