import { request } from '../../shared/parts/request.ts'
import { createStore } from '../../shared/store.ts'
import { signInWithKey } from '../person.ts'

/** The key that was made on this page; the service does not show it a second time. */
export const newKey = createStore<string | null>(null)

export type SignUpOutcome = 'signed-in' | { readonly mailed: string }

/** Gets a first key and signs the browser in with it. */
export async function signUp(email: string): Promise<SignUpOutcome> {
  const answer = await request<{ key: string } | { detail: string }>('POST', '/v1/keys', {
    body: { email },
    idempotencyKey: crypto.randomUUID(),
  })
  if (!('key' in answer)) return { mailed: answer.detail }
  // Kept first: the account has it, even if signing in fails.
  newKey.set(answer.key)
  await signInWithKey(answer.key)
  return 'signed-in'
}
