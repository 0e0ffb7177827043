import { useRef, useState } from 'preact/hooks'
import { type FieldMessage, RequestError } from '../../shared/parts/request.ts'
import { messageOf } from '../../shared/session/send.ts'
import { hasSessionEnded, isSignedOut } from '../person.ts'

export interface Failure {
  readonly message: string
  readonly code: string | null
  readonly fields: readonly FieldMessage[]
}

export interface Action {
  readonly isBusy: boolean
  readonly failure: Failure | null
  /** Runs the work unless it runs already; true once it has succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>
  clear(): void
}

/** Work that a button starts: at most once at a time, with its refusal in words. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const running = useRef(false)
  const run = async (work: () => Promise<unknown>) => {
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
    return { message: 'Sign in again above, then repeat this. What you have entered is kept.', code: null, fields: [] }
  }
  if (error instanceof RequestError)
    return { message: withoutPointer(error.message), code: error.code, fields: error.fields }
  return { message: messageOf(error), code: null, fields: [] }
}

/** `/email must be …` is for programs. */
function withoutPointer(message: string): string {
  return message.replace(
    /^\/(\w[\w/]*) /,
    (_, pointer: string) => `“${pointer.replaceAll('/', ' ').replaceAll('_', ' ')}” `,
  )
}
