import { hash } from 'node:crypto'
import { makeAccount } from '../../accounts/keys/issue.ts'
import { derivedIdentifier } from '../../domain/identifier.ts'
import type { Store } from '../../store/store.ts'

/** Owns the watches of those who have no account; nobody has a key of it. */
export const ALERTS_ACCOUNT_ID = derivedIdentifier('account', hash('sha256', 'alerts without an account', 'buffer'))

/** Blocking the account stops all alerts, and unblocking it starts them again. */
export async function ensureAlertsAccount({ accounts }: Pick<Store, 'accounts'>, now: number): Promise<void> {
  await accounts.ensure({ ...makeAccount({ email: null, name: 'Alerts' }, {}, now), id: ALERTS_ACCOUNT_ID })
}
