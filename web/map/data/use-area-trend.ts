import { useEffect, useState } from 'preact/hooks'
import { useStore } from '../../shared/store.ts'
import { api } from '../api.ts'
import { currentView } from '../view/current-view.ts'
import { type AreaTrend, type TrendsAnswer, trendIn, trendQuery } from './area-trend.ts'
import { snapshot } from './snapshot.ts'

/** After list, counts and the first tiles, which readers look at first. */
const DELAY_MS = 1500

/**
 * How the chosen state or LGA compares with the usual; null if that is not known. It is asked for
 * late, and again whenever the page shows a later moment.
 */
export function useAreaTrend(): AreaTrend | null {
  const query = trendQuery(useStore(currentView))?.toString() ?? null
  const seq = useStore(snapshot).statistics?.seq
  const [result, setResult] = useState<{ readonly query: string; readonly trend: AreaTrend | null } | null>(null)
  useEffect(() => {
    if (query === null || seq === undefined) return
    const request = new AbortController()
    const load = async () => {
      try {
        const answer = await api.getJson<TrendsAnswer>('/v1/trends', new URLSearchParams(query), request.signal)
        setResult({ query, trend: trendIn(answer) })
      } catch (error) {
        if (!request.signal.aborted) console.warn('The trend could not be loaded; the next event asks again:', error)
      }
    }
    const timer = setTimeout(load, DELAY_MS)
    return () => {
      request.abort()
      clearTimeout(timer)
    }
  }, [query, seq])
  return result !== null && result.query === query ? result.trend : null
}
