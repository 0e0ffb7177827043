import { useEffect, useState } from 'preact/hooks'
import { request } from '../../shared/parts/request.ts'
import { type Failure, failureOf } from '../parts/use-action.ts'
import type { SavedArea } from './saved-area.ts'

interface Page {
  readonly data: readonly SavedArea[]
  readonly next_cursor: string | null
}

export interface SavedAreas {
  /** Null until they are there. */
  readonly areas: readonly SavedArea[] | null
  readonly failure: Failure | null
}

/** Loads every saved area of the account, by name. */
export function useSavedAreas(): SavedAreas {
  const [state, setState] = useState<SavedAreas>({ areas: null, failure: null })
  useEffect(() => {
    const stopping = new AbortController()
    loadAll(stopping.signal).then(
      (areas) => setState({ areas, failure: null }),
      (error: unknown) => {
        if (!stopping.signal.aborted) setState({ areas: null, failure: failureOf(error) })
      },
    )
    return () => stopping.abort()
  }, [])
  return state
}

async function loadAll(signal: AbortSignal): Promise<SavedArea[]> {
  const areas: SavedArea[] = []
  for (let cursor: string | null = null; ; ) {
    const search: string = new URLSearchParams({ limit: '100', ...(cursor === null ? {} : { cursor }) }).toString()
    const page: Page = await request<Page>('GET', `/v1/areas?${search}`, { signal })
    areas.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null) return areas.toSorted((one, other) => one.name.localeCompare(other.name))
  }
}
