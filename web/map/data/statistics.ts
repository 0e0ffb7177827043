import { useEffect, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { onFeedEvent } from '../live/feed.ts'

interface NamedGroup {
  readonly key: string
  readonly label: string
  readonly state?: string
}

interface TimeGroup {
  readonly key: string
  readonly from: string
  readonly to: string
}

export interface Bucket {
  readonly state?: NamedGroup
  readonly lga?: NamedGroup | null
  readonly type?: NamedGroup
  readonly severity?: NamedGroup
  readonly hour?: TimeGroup
  readonly day?: TimeGroup
  readonly week?: TimeGroup
  readonly month?: TimeGroup
  readonly count: number
}

export interface Statistics {
  readonly data: readonly Bucket[]
  readonly total: { readonly count: number }
}

export interface StatisticsResult {
  readonly statistics: Statistics | null
  readonly error: string | null
}

const DEBOUNCE_MS = 250
/** A busy feed changes every few seconds; this interval spares slow connections. */
const REFRESH_INTERVAL_MS = 10_000

/**
 * Counts incidents with `/v1/stats`, and again whenever the query or the feed changes. A null query
 * loads nothing.
 */
export function useStatistics(query: string | null): StatisticsResult {
  const [result, setResult] = useState<StatisticsResult>({ statistics: null, error: null })
  useEffect(() => {
    if (query === null) return
    const request = new AbortController()
    let refresh: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      refresh = undefined
      try {
        const statistics = await api.getJson<Statistics>('/v1/stats', new URLSearchParams(query), request.signal)
        setResult({ statistics, error: null })
      } catch (error) {
        if (!request.signal.aborted) setResult((before) => ({ ...before, error: (error as Error).message }))
      }
    }
    const firstLoad = setTimeout(load, DEBOUNCE_MS)
    const unsubscribe = onFeedEvent(() => {
      refresh ??= setTimeout(load, REFRESH_INTERVAL_MS)
    })
    return () => {
      request.abort()
      clearTimeout(firstLoad)
      clearTimeout(refresh)
      unsubscribe()
    }
  }, [query])
  return result
}
