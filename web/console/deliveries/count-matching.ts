import { useEffect, useState } from 'preact/hooks'
import { numberText } from '../../shared/format.ts'
import { request } from '../../shared/parts/request.ts'
import type { LogFilter } from './log-filter.ts'

/** The API has no count; ten pages of the log are read at most. */
const MAX_PAGES = 10

interface LogPage {
  readonly data: readonly unknown[]
  readonly next_cursor: string | null
}

/** `isAtLeast` if the log goes on after the pages that were read. */
export interface MatchCount {
  readonly count: number
  readonly isAtLeast: boolean
}

async function countMatching(filter: LogFilter, signal: AbortSignal): Promise<MatchCount> {
  let count = 0
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const search = new URLSearchParams({ ...filter, limit: '100', ...(cursor === null ? {} : { cursor }) })
    const page: LogPage = await request<LogPage>('GET', `/v1/deliveries?${search}`, { signal })
    count += page.data.length
    cursor = page.next_cursor
    if (cursor === null) return { count, isAtLeast: false }
  }
  return { count, isAtLeast: true }
}

/** Counts what the filter matches, once; null until it is known, `unknown` if it cannot be. */
export function useMatchCount(filter: LogFilter): MatchCount | 'unknown' | null {
  const [found, setFound] = useState<MatchCount | 'unknown' | null>(null)
  useEffect(() => {
    const stopping = new AbortController()
    countMatching(filter, stopping.signal)
      .then(setFound)
      // Sending does not need the count: a refusal is shown there.
      .catch(() => stopping.signal.aborted || setFound('unknown'))
    return () => stopping.abort()
  }, [])
  return found
}

export function countText(found: MatchCount | 'unknown' | null): string {
  if (found === null) return 'Counting them.'
  if (found === 'unknown') return 'They could not be counted.'
  const { count, isAtLeast } = found
  if (isAtLeast) return `More than ${numberText(count)} messages.`
  return count === 1 ? 'One message.' : `${numberText(count)} messages.`
}
