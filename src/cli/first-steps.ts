import { makeAccount } from '../accounts/keys.ts'
import { issueSignInLink } from '../accounts/sign-in.ts'
import { SETTINGS } from '../config/settings.ts'
import type { Account } from '../domain/accounts.ts'
import { FIRST_IMPORT } from '../domain/import-report.ts'
import type { Store } from '../store/store.ts'
import { onRecord } from './on-record.ts'

/** Whoever is at the terminal of a first start opens it at once; the next start prints another. */
const LINK_VALID_MS = 3_600_000
const FIRST_ADMIN = 'First admin'

/** The next three steps of whoever has just started a service without incidents. */
export async function firstSteps(store: Store, publicUrl: string, databaseUrl: string, now: number): Promise<string> {
  return `
  The archive is empty. The next three steps:

  1  Sign in as admin   ${await signInStep(store, publicUrl, now)}

  2  Import history     ${FIRST_IMPORT}${databaseFlag(databaseUrl)}
                        from UCDP, ACLED, CSV, GeoJSON or NDJSON: docs/importing.md

  3  Open the console   ${publicUrl}/console
                        keys, the first request, webhooks

  To look around first: npx incident-feed --demo has 20,000 synthetic incidents and stores nothing.
`
}

async function signInStep(store: Store, publicUrl: string, now: number): Promise<string> {
  const admins = await store.accounts.list({ role: 'admin', status: 'active' }, 2, null)
  const [admin] = admins
  if (admin !== undefined && (admins.length > 1 || !isFirstAdmin(admin)))
    return `${publicUrl}/sign-in
                        or a link for an admin: npx incident-feed accounts sign-in-link ${admin.id}`
  const account = admin ?? (await openFirstAdmin(store, now))
  const recorded = onRecord(store, { action: 'account.sign_in_link', subject: account.id })
  const { url } = await issueSignInLink(recorded, publicUrl, account.id, { mailed: false, validMs: LINK_VALID_MS }, now)
  return `${url}
                        works once, within an hour; then add a passkey and invite colleagues`
}

/** Nobody but this function opens an admin without an address, a key and a name of a person. */
function isFirstAdmin({ name, email }: Account): boolean {
  return name === FIRST_ADMIN && email === null
}

async function openFirstAdmin(store: Store, now: number): Promise<Account> {
  const account: Account = { ...makeAccount({ email: null, name: FIRST_ADMIN }, {}, now), role: 'admin' }
  const act = { action: 'account.create', subject: account.id, after: { name: account.name, role: account.role } }
  await onRecord(store, act).accounts.ensure(account)
  return account
}

/**
 * The commands read the environment, but not the flags of the service. A URL may have a password.
 */
function databaseFlag(databaseUrl: string): string {
  const isDefault = databaseUrl === SETTINGS.DATABASE_URL.fallback
  return isDefault || !databaseUrl.startsWith('sqlite:') ? '' : ` --database-url ${databaseUrl}`
}
