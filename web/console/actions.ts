import { useEffect, useRef, useState } from 'preact/hooks'
import { type FieldMessage, messageOf, RequestError, request } from '../shared/parts/request.ts'
import { hasSessionEnded, isSignedOut } from './person.ts'

export interface Failure {
  readonly message: string
  readonly fields: readonly FieldMessage[]
}

/** Work that a button starts: at most once at a time, with its refusal in words. */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const running = useRef(false)
  /** Runs the work unless it runs already; true once it has succeeded. */
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setFailure(null)
    try {
      await work()
      return true
    } catch (error) {
      setFailure(failureOf(error))
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { isBusy, failure, run, clear: () => setFailure(null) }
}

/** Puts an error into words; the end of the session is said once for the whole page. */
export function failureOf(error: unknown): Failure {
  if (isSignedOut(error)) {
    hasSessionEnded.set(true)
    return { message: 'Sign in again above, then repeat this. What you have entered is kept.', fields: [] }
  }
  if (error instanceof RequestError) return { message: withoutPointer(error.message), fields: error.fields }
  return { message: messageOf(error), fields: [] }
}

/** `/email must be …` is for programs. */
function withoutPointer(message: string): string {
  return message.replace(
    /^\/(\w[\w/]*) /,
    (_, pointer: string) => `“${pointer.replaceAll('/', ' ').replaceAll('_', ' ')}” `,
  )
}

/**
 * Loads one answer of the API, null until it is there; another path begins anew, and a null path
 * loads nothing.
 */
export function useLoaded<Body>(path: string | null) {
  return useRead<Body>(path, (signal) => request<Body>('GET', path!, { signal }))
}

interface ReadState<Body> {
  readonly key: string | null
  readonly body: Body | null
  readonly failure: Failure | null
}

/** Reads something once for each `key`, and again on `reload`. */
export function useRead<Body>(key: string | null, read: (signal: AbortSignal) => Promise<Body>) {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<ReadState<Body>>({ key, body: null, failure: null })
  useEffect(() => {
    if (key === null) return
    const stopping = new AbortController()
    read(stopping.signal)
      .then((body) => setState({ key, body, failure: null }))
      .catch((error: unknown) => {
        // A failed reload keeps what is shown; the answer for another key goes.
        if (!stopping.signal.aborted)
          setState((old) => ({ key, body: old.key === key ? old.body : null, failure: failureOf(error) }))
      })
    return () => stopping.abort()
  }, [key, round])
  // The answer for another key must not be shown for this one.
  const isCurrent = state.key === key
  return {
    body: isCurrent ? state.body : null,
    failure: isCurrent ? state.failure : null,
    reload: () => setRound((before) => before + 1),
  }
}
