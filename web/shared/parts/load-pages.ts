import { useEffect, useState } from 'preact/hooks'
import { RequestError, request } from './request.ts'

interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface PagedList<Item> {
  readonly items: readonly Item[]
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly message: string
  loadMore(): void
  reload(): void
}

const LIMIT = 50

/** Loads a list of the API page by page; another path begins it anew. */
export function usePages<Item>(path: string, query: Readonly<Record<string, string>>): PagedList<Item> {
  const key = JSON.stringify([path, query])
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<PagedList<Item>, 'loadMore' | 'reload'> & { cursor: string | null }>({
    items: [],
    isLoading: true,
    hasMore: false,
    message: '',
    cursor: null,
  })
  const load = async (cursor: string | null, before: readonly Item[], signal: AbortSignal) => {
    const search = new URLSearchParams({ limit: String(LIMIT), ...query, ...(cursor === null ? {} : { cursor }) })
    for (const [name, value] of Object.entries(query)) if (value === '') search.delete(name)
    setState((old) => ({ ...old, isLoading: true, message: '' }))
    try {
      const page = await request<Page<Item>>('GET', `${path}?${search}`, { signal })
      setState({
        items: [...before, ...page.data],
        isLoading: false,
        hasMore: page.has_more,
        message: '',
        cursor: page.next_cursor,
      })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RequestError)) throw error
      setState((old) => ({ ...old, isLoading: false, message: error.message }))
    }
  }
  useEffect(() => {
    const stopping = new AbortController()
    void load(null, [], stopping.signal)
    return () => stopping.abort()
  }, [key, round])
  return {
    ...state,
    loadMore: () => void load(state.cursor, state.items, new AbortController().signal),
    reload: () => setRound(round + 1),
  }
}
