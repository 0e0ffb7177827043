import type { Scope } from '../../src/domain/keys.ts'
import { useClock } from '../shared/hooks.ts'
import { nameOf, type Person } from '../shared/parts/session.ts'
import { createStore } from '../shared/store.ts'

/** The little that the server writes into the page; everything else comes from the API. */
interface InitialData {
  /** The server's clock. */
  readonly now: string
  readonly demo: boolean
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

/** Whether the session has ended while the page was open. */
export const isSignedOut = createStore(false)

let person: Person | null = null

export function setPerson(next: Person): void {
  person = next
}

/** The person at this desk; known before anything is drawn. */
export function currentPerson(): Person {
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
