import { useEffect, useState } from 'preact/hooks'
import type { Incident } from '../../../src/domain/incident.ts'
import { request } from '../../shared/parts/request.ts'
import { type Failure, failureOf } from '../parts/use-action.ts'

/** The last change of the form counts: typing asks no question for every letter. */
const PAUSE_MS = 500
export const DAYS = 30
/** Enough to see where they are; the count says how many there were. */
const MOST_SHOWN = 200

export interface Preview {
  readonly isLoading: boolean
  /** Null until the first answer. */
  readonly matches: number | null
  readonly perDay: number
  readonly incidents: readonly Incident[]
  readonly failure: Failure | null
}

/** What a watch with this filter would have sent in the last 30 days. */
export function usePreview(filter: Readonly<Record<string, unknown>>): Preview {
  const [preview, setPreview] = useState<Preview>({
    isLoading: true,
    matches: null,
    perDay: 0,
    incidents: [],
    failure: null,
  })
  const key = JSON.stringify(filter)
  useEffect(() => {
    const stopping = new AbortController()
    setPreview((before) => ({ ...before, isLoading: true }))
    const timer = setTimeout(() => {
      readPreview(filter, stopping.signal).then(setPreview, (error: unknown) => {
        if (!stopping.signal.aborted)
          setPreview((before) => ({
            ...before,
            isLoading: false,
            incidents: [],
            matches: null,
            failure: failureOf(error),
          }))
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [key])
  return preview
}

async function readPreview(filter: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Preview> {
  const counting = request<{ matches: number; a_day: number; newest: Incident[] }>('POST', '/v1/watches/preview', {
    body: { filter, days: DAYS },
    signal,
  })
  // Lists are not asked for single incidents; of those that a watch follows, the preview names the
  // newest.
  const listing =
    'incident' in filter
      ? counting.then(({ newest }) => ({ data: newest }))
      : request<{ data: Incident[] }>('POST', '/v1/incidents/query', {
          body: { ...filter, since: `${DAYS}d`, limit: MOST_SHOWN },
          signal,
        })
  const [counted, listed] = await Promise.all([counting, listing])
  return { isLoading: false, matches: counted.matches, perDay: counted.a_day, incidents: listed.data, failure: null }
}
