import { type Incident, TIME_PRECISIONS } from '../../../domain/incident.ts'

type Time = Pick<Incident, 'occurred_at' | 'occurred_until' | 'time_precision' | 'published_at'>

/**
 * The row's time; the stored one where the row says it less exactly. `assumed`: the row has a day
 * and does not say how exact it is, so another day is a correction of the day alone.
 */
export function richerTime(ours: Incident, theirs: Incident, assumed: boolean, poorer: Set<string>): Time {
  const coarser = TIME_PRECISIONS.indexOf(theirs.time_precision) - TIME_PRECISIONS.indexOf(ours.time_precision)
  const sameDay = ours.occurred_at.slice(0, 10) === theirs.occurred_at.slice(0, 10)
  if (assumed ? sameDay : coarser > 0) {
    const start = timeOf(ours)
    const isNews = ours.occurred_at !== theirs.occurred_at || ours.time_precision !== theirs.time_precision
    if (isNews) poorer.add('occurred_at')
    return { ...start, ...endOf(start.occurred_at, ours, theirs, poorer) }
  }
  const time_precision = assumed && coarser < 0 ? ours.time_precision : theirs.time_precision
  if (time_precision !== theirs.time_precision) poorer.add('time_precision')
  const { occurred_at, published_at } = theirs
  return { occurred_at, published_at, time_precision, ...endOf(occurred_at, ours, theirs, poorer) }
}

function timeOf({ occurred_at, published_at, time_precision }: Incident) {
  return { occurred_at, published_at, time_precision }
}

/** The stored end, if the row has none and the event did not begin after it. */
function endOf(start: string, ours: Incident, theirs: Incident, poorer: Set<string>) {
  if (theirs.occurred_until !== undefined) return { occurred_until: theirs.occurred_until }
  const end = ours.occurred_until
  if (end === undefined || Date.parse(end) < Date.parse(start)) return {}
  poorer.add('occurred_until')
  return { occurred_until: end }
}
