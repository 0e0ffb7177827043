import type { Scope } from '../../src/domain/keys.ts'
import { type Me, nameOf, startSession } from '../shared/session/session.ts'
import { createStore } from '../shared/store.ts'

/** Whether the session has ended while the page was open. */
export const isSignedOut = createStore(false)

const RETRY_MS = 2000

/** Reads who is signed in; waits while the service cannot be reached. Null without a session. */
export async function readPerson(onTrouble: (message: string) => void): Promise<Me | null> {
  for (;;) {
    const state = await startSession()
    if (state.phase === 'signed-in') return state.me
    if (state.phase === 'signed-out') return null
    if (state.phase === 'failed') onTrouble(state.message)
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

let person: Me | null = null

export function setPerson(next: Me): void {
  person = next
}

/** The person at this desk; known before anything is drawn. */
export function currentPerson(): Me {
  if (person === null) throw new Error('nobody is signed in yet')
  return person
}

export function personId(): string {
  return currentPerson().account.id
}

export function personName(): string {
  return nameOf(currentPerson())
}

export function hasScope(scope: Scope | null): boolean {
  const { scopes } = currentPerson()
  return scope === null || scopes.includes(scope) || scopes.includes('operate')
}
