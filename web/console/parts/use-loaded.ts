import { useEffect, useState } from 'preact/hooks'
import { request } from '../../shared/parts/request.ts'
import { type Failure, failureOf } from './use-action.ts'

export interface Loaded<Body> {
  /** Null until it is there. */
  readonly body: Body | null
  readonly failure: Failure | null
  reload(): void
}

/** Loads one answer of the API; another path begins anew. A null path loads nothing. */
export function useLoaded<Body>(path: string | null): Loaded<Body> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ path: string | null; body: Body | null; failure: Failure | null }>({
    path,
    body: null,
    failure: null,
  })
  useEffect(() => {
    if (path === null) return
    const stopping = new AbortController()
    request<Body>('GET', path, { signal: stopping.signal })
      .then((body) => setState({ path, body, failure: null }))
      .catch((error: unknown) => {
        // A failed reload keeps what is shown; what another path answered goes.
        if (!stopping.signal.aborted)
          setState((old) => ({ path, body: old.path === path ? old.body : null, failure: failureOf(error) }))
      })
    return () => stopping.abort()
  }, [path, round])
  // What another path answered must not be shown for this one.
  const isCurrent = state.path === path
  return {
    body: isCurrent ? state.body : null,
    failure: isCurrent ? state.failure : null,
    reload: () => setRound((before) => before + 1),
  }
}
