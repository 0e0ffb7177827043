import { createStore } from '../shared/store.ts'
import { RequestError, request } from './api/request.ts'

/** The person at this desk, with what the role allows. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly scopes: readonly string[]
}

interface MeAnswer {
  readonly account: {
    readonly id: string
    readonly name: string | null
    readonly email: string | null
    readonly role: string
  }
  readonly scopes: readonly string[]
}

/** Whether the session has ended while the page was open. */
export const isSignedOut = createStore(false)

const RETRY_MS = 2000

/** Reads who is signed in; waits while the service cannot be reached. */
export async function readPerson(onTrouble: (message: string) => void): Promise<Person> {
  for (;;) {
    try {
      const { account, scopes } = await request<MeAnswer>('GET', '/v1/me')
      return { id: account.id, name: account.name ?? account.email ?? account.id, role: account.role, scopes }
    } catch (error) {
      if (!(error instanceof RequestError) || !error.isPassing) throw error
      onTrouble(error.message)
      await new Promise((resolve) => setTimeout(resolve, Math.max(RETRY_MS, error.retryAfterMs)))
    }
  }
}

/** The page to sign in at, and to come back from. */
export function signInAddress(): string {
  return `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`
}

let person: Person | null = null

export function setPerson(next: Person): void {
  person = next
}

export function currentPerson(): Person {
  if (person === null) throw new Error('nobody is signed in yet')
  return person
}

export function hasScope(scope: string | null): boolean {
  const { scopes } = currentPerson()
  return scope === null || scopes.includes(scope) || scopes.includes('operate')
}
