import { useEffect, useState } from 'preact/hooks'
import { useStore } from '../../shared/store.ts'
import { currentQuestion } from './question/current-question.ts'
import { queryApi } from './question/query-api.ts'
import { retryDelay } from './retry-delay.ts'
import { snapshot } from './snapshot.ts'
import type { Statistics } from './statistics.ts'

export interface StatisticsResult {
  /** Null until the counts of this very query have been loaded. */
  readonly statistics: Statistics | null
  readonly error: string | null
}

const DEBOUNCE_MS = 250
const NOTHING: StatisticsResult = { statistics: null, error: null }

/**
 * Counts incidents with `/v1/stats`, again whenever the page shows a later moment, and again after
 * a failure. A null query loads nothing.
 */
export function useStatistics(query: string | null): StatisticsResult {
  const [result, setResult] = useState<StatisticsResult & { readonly query: string | null }>({ ...NOTHING, query })
  const seq = useStore(snapshot).statistics?.seq
  const { road, polygon } = useStore(currentQuestion)
  useEffect(() => {
    if (query === null) return
    const request = new AbortController()
    let attempt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      try {
        const statistics = await queryApi<Statistics>(
          '/v1/stats',
          new URLSearchParams(query),
          { road, polygon },
          request.signal,
        )
        setResult({ statistics, error: null, query })
      } catch (error) {
        if (request.signal.aborted) return
        setResult({ statistics: null, error: (error as Error).message, query })
        timer = setTimeout(load, retryDelay(error, attempt++, Math.random))
      }
    }
    timer = setTimeout(load, DEBOUNCE_MS)
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [query, road, polygon, seq])
  return result.query === query ? result : NOTHING
}
