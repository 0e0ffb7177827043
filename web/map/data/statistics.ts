import { useEffect, useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { onChange } from '../live/feed.ts'

interface Named {
  readonly key: string
  readonly label: string
  readonly state?: string
}

interface Period {
  readonly key: string
  readonly from: string
  readonly to: string
}

export interface Bucket {
  readonly state?: Named
  readonly lga?: Named | null
  readonly type?: Named
  readonly severity?: Named
  readonly hour?: Period
  readonly day?: Period
  readonly week?: Period
  readonly month?: Period
  readonly count: number
}

export interface Statistics {
  readonly data: readonly Bucket[]
  readonly total: { readonly count: number }
}

export interface Asked {
  readonly statistics: Statistics | null
  readonly error: string | null
}

const SETTLE = 250
/** A busy feed changes every few seconds; figures that follow this often still look alive, and spare a slow line. */
const REFRESH_EVERY = 10_000

/** Counts from the API, asked again when the question changes or the feed does. Null asks nothing. */
export function useStatistics(question: string | null): Asked {
  const [asked, setAsked] = useState<Asked>({ statistics: null, error: null })
  useEffect(() => {
    if (question === null) return
    const asking = new AbortController()
    let refreshing: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      refreshing = undefined
      try {
        const statistics = await ask<Statistics>('/v1/stats', new URLSearchParams(question), asking.signal)
        setAsked({ statistics, error: null })
      } catch (error) {
        if (!asking.signal.aborted) setAsked((before) => ({ ...before, error: (error as Error).message }))
      }
    }
    const first = setTimeout(load, SETTLE)
    const forget = onChange(() => {
      refreshing ??= setTimeout(load, REFRESH_EVERY)
    })
    return () => {
      asking.abort()
      clearTimeout(first)
      clearTimeout(refreshing)
      forget()
    }
  }, [question])
  return asked
}
