import type { Incident } from '../domain/incident.ts'
import type { AnyFilter, LiveFilter } from '../filter/filter/filter.ts'
import type { Steps } from '../lib/steps.ts'

const DAY_MS = 86_400_000
const NEWEST_SHOWN = 5

export interface Preview {
  readonly matches: number
  readonly newest: readonly Incident[]
}

export interface PreviewSource {
  count(filter: AnyFilter, now: number): Steps<number>
  newest(filter: AnyFilter, most: number, now: number): Steps<Incident[]>
}

/** Counts and samples incidents of the last `days` that a watch with the filter would have sent. */
export function* previewOf(filter: LiveFilter, days: number, source: PreviewSource, now: number): Steps<Preview> {
  const recent: AnyFilter = { ...filter, publishedFrom: now - days * DAY_MS }
  const newest = yield* source.newest(recent, NEWEST_SHOWN, now)
  return { matches: yield* source.count(recent, now), newest }
}
