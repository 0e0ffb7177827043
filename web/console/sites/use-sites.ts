import { useEffect, useState } from 'preact/hooks'
import { request } from '../../shared/parts/request.ts'
import { type Failure, failureOf } from '../parts/use-action.ts'
import type { Site, SiteList } from './site-list.ts'

interface Page {
  readonly list: SiteList
  readonly data: readonly Site[]
  readonly next_cursor: string | null
}

export interface LoadedSites {
  /** Null until it is there. */
  readonly list: SiteList | null
  readonly sites: readonly Site[]
  readonly failure: Failure | null
}

/** Loads a list with all its sites; another `round` loads it again. */
export function useSites(id: string, round: number): LoadedSites {
  const [state, setState] = useState<LoadedSites>({ list: null, sites: [], failure: null })
  useEffect(() => {
    const stopping = new AbortController()
    loadAll(id, stopping.signal).then(
      (loaded) => setState({ ...loaded, failure: null }),
      (error: unknown) => {
        if (!stopping.signal.aborted) setState((before) => ({ ...before, failure: failureOf(error) }))
      },
    )
    return () => stopping.abort()
  }, [id, round])
  return state
}

async function loadAll(id: string, signal: AbortSignal): Promise<{ list: SiteList; sites: Site[] }> {
  const sites: Site[] = []
  for (let cursor: string | null = null; ; ) {
    const search: string = new URLSearchParams({ limit: '1000', ...(cursor === null ? {} : { cursor }) }).toString()
    const page: Page = await request<Page>('GET', `/v1/sites/${encodeURIComponent(id)}?${search}`, { signal })
    sites.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) return { list: page.list, sites }
  }
}
