import { hasScope } from '../../domain/accounts.ts'
import { keyState } from '../../domain/keys.ts'
import type { Store } from '../../store/store.ts'
import { hashSecret } from './hash-secret.ts'
import { type KeyRequest, makeAccount, makeKey } from './issue.ts'

/** The setting OPERATOR_KEY cannot be used; the message says what to do. */
export class OperatorKeyRefused extends Error {
  override readonly name = 'OperatorKeyRefused'
}

const REQUEST: KeyRequest = { name: 'OPERATOR_KEY', scopes: ['read', 'watch', 'operate'] }
const GENERATE = 'generate another with: incident-feed keys generate'

/**
 * Makes the setting OPERATOR_KEY the only valid key from the environment: its predecessor is
 * revoked. Several nodes may do so at once.
 */
export async function setOperatorKey(store: Store, text: string, now: number): Promise<void> {
  const holder = await store.keys.findByHash(hashSecret(text))
  if (holder !== null) {
    const state = keyState(holder.key, now)
    if (state === 'revoked')
      throw new OperatorKeyRefused(
        `OPERATOR_KEY is the key ending in ${holder.key.hint}, which was revoked; ${GENERATE}`,
      )
    if (state === 'expired')
      throw new OperatorKeyRefused(`OPERATOR_KEY is the key ending in ${holder.key.hint}, which expired; ${GENERATE}`)
    if (holder.account.status === 'blocked')
      throw new OperatorKeyRefused(
        `OPERATOR_KEY belongs to the blocked account ${holder.account.id}; incident-feed accounts unblock ends that`,
      )
    if (!hasScope(holder.key, holder.account.role, 'operate'))
      throw new OperatorKeyRefused(
        `OPERATOR_KEY is the key ending in ${holder.key.hint}, which lacks the scope operate; ${GENERATE}`,
      )
  }
  const account = makeAccount({ email: null, name: 'Operator' }, REQUEST, now)
  const { key } = makeKey(account.id, REQUEST, now, text)
  await store.keys.setEnvironmentKey(account, { ...key, fromEnvironment: true }, now)
}
