import { useClock } from '../shared/hooks.ts'
import { RequestError, request } from '../shared/parts/request.ts'
import { readPerson as askForPerson, type Person } from '../shared/parts/session.ts'
import { createStore } from '../shared/store.ts'

/** The little that the server writes into the page; everything else comes from the API. */
interface InitialData {
  /** The server's clock. */
  readonly now: string
  readonly demo: boolean
  /** `unknown` if the browser kept its cookie back, because another site led here. */
  readonly session: 'yes' | 'no' | 'unknown'
  readonly signUp: 'open' | 'email' | 'closed'
  readonly hasLgas: boolean
  readonly hasRoads: boolean
}

export const initialData = JSON.parse(document.getElementById('initial-data')!.textContent!) as InitialData

const clockOffset = Date.parse(initialData.now) - Date.now()

/** Returns the server's time: the clock of a computer may be wrong by minutes. */
export function serverNow(): number {
  return Date.now() + clockOffset
}

/** The server's time, for ages. */
export function useNow(): number {
  return useClock(serverNow)
}

/** The person who is signed in; null before the sign-up, and after signing out. */
export const person = createStore<Person | null>(null)
/** The account was just deleted on this page, which says so. */
export const hasLeft = createStore(false)
/** The session ended while the page was open: what it shows stays, and signing in again goes on. */
export const hasSessionEnded = createStore(false)

export function isSignedOut(error: unknown): error is RequestError {
  return error instanceof RequestError && error.status === 401
}

/** Reads who is signed in, and what they have used since. Null without a session. */
export async function readPerson(): Promise<Person | null> {
  const found = await askForPerson({})
  if (found !== null) {
    person.set(found)
    hasSessionEnded.set(false)
  }
  return found
}

/** Signs in with a key, as the sign-in page does. */
export async function signInWithKey(key: string): Promise<void> {
  try {
    await request('POST', '/v1/sessions', { body: { key } })
  } catch (error) {
    // The key is refused: no session has ended.
    throw isSignedOut(error) ? new Error(error.message) : error
  }
  await readPerson()
}
