import {
  ACCOUNT_BLOCKED_REASON,
  type Account,
  type AccountLimits,
  type AccountStatus,
  DELETED_ACCOUNT_NAME,
  isHigherRole,
} from '../../domain/accounts.ts'
import type { Key } from '../../domain/keys.ts'
import type { Accounts, Mails, ProofRefusal, RemovedAccount } from '../store.ts'
import { differing, FOR_NO_KEY_UPDATE, FOR_UPDATE, insertedRows, plain, shared, text } from './dialect.ts'
import { lockWatchHead, nextWatchRevision } from './heads.ts'
import { begin, type Fragment, first, onPostgres, type QueriesOf, type Query, rows, run, sql } from './query.ts'

const COLUMNS = shared(
  `id, email, email_owned AS "ownsEmail", email_verified_at AS "emailVerifiedAt", name, role, status, limits,
   created_at AS "createdAt"`,
)

type AccountRow = Omit<Account, 'limits' | 'ownsEmail'> & { readonly limits: string; readonly ownsEmail: number }

function accountOf(row: AccountRow): Account {
  return { ...row, ownsEmail: row.ownsEmail === 1, limits: JSON.parse(row.limits) as AccountLimits }
}

export const accounts = {
  *open(account, key) {
    yield* begin()
    if (account.ownsEmail) yield* lockAddress(account)
    const isOpen = (yield* insertAccount(account)) === 1
    // Ids are random, so it was the address.
    if (!isOpen) return 'address_taken'
    if (account.ownsEmail) yield* clearClaims(account.email!)
    if (key !== null) yield* insertKey(key)
    return true
  },

  *ensure(account) {
    yield* insertAccount(account)
  },

  find: (id) => findAccount(id),

  *findOwner(email) {
    const row = yield* first<AccountRow>(
      sql`SELECT ${COLUMNS} FROM accounts WHERE email_key = ${email} AND email_owned = 1`,
    )
    return row === undefined ? null : accountOf(row)
  },

  *list(filter, limit, before) {
    const { email = null, role = null, status = null } = filter
    const found = yield* rows<AccountRow>(
      sql`SELECT ${COLUMNS} FROM accounts
          WHERE (${text(email)} IS NULL OR email_key = ${email}) AND (${text(role)} IS NULL OR role = ${role})
            AND (${text(status)} IS NULL OR status = ${status}) AND (${text(before)} IS NULL OR id < ${before})
          ORDER BY id DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map(accountOf)
  },

  *change(id, patch, now) {
    yield* begin()
    // Locks the admins and the account, in the order of ids, which prevents deadlocks. Not FOR
    // UPDATE: that would wait for the foreign keys of new keys and watches.
    yield* onPostgres(
      sql`SELECT id FROM accounts WHERE id = ${id} OR (role = 'admin' AND status = 'active')
          ORDER BY id FOR NO KEY UPDATE`,
    )
    const account = yield* findAccount(id)
    if (account === null || account.status === 'deleted') return null
    const changed = { ...account, ...patch }
    if (isActiveAdmin(account) && !isActiveAdmin(changed) && !(yield* hasOtherAdmin(id, now))) return 'last_admin'
    const { name, role, status, limits } = changed
    yield* run(
      sql`UPDATE accounts SET name = ${name}, role = ${role}, status = ${status}, limits = ${JSON.stringify(limits)},
            blocked_at = CASE WHEN ${text(status)} = 'active' THEN NULL ELSE coalesce(blocked_at, ${now}) END
          WHERE id = ${id}`,
    )
    if (isHigherRole(role, account.role)) yield* run(sql`DELETE FROM passkeys WHERE account_id = ${id}`)
    if (account.status !== status) yield* suspendWatches(id, status, now)
    return changed
  },

  remove: (id, now) => removeAccount(id, now),

  *deletedSince(time) {
    const found = yield* rows<{ id: string }>(
      sql`SELECT id FROM accounts WHERE blocked_at >= ${time} AND status = 'deleted'`,
    )
    return found.map(({ id }) => id)
  },

  *countWatches(id) {
    const row = yield* first<{ watches: number }>(sql`SELECT count(*) AS watches FROM watches WHERE account_id = ${id}`)
    return row!.watches
  },

  *listReports(id, limit, before) {
    const found = yield* rows<{ id: string }>(
      sql`SELECT DISTINCT incident_id AS id FROM steps
          WHERE step = 'report' AND account_id = ${id} AND (${text(before)} IS NULL OR incident_id < ${before})
          ORDER BY incident_id DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map((row) => row.id)
  },

  *hasReported(id, incidentId) {
    const steps = yield* rows(
      sql`SELECT 1 FROM steps WHERE step = 'report' AND incident_id = ${incidentId} AND account_id = ${id} LIMIT 1`,
    )
    return steps.length > 0
  },
} satisfies QueriesOf<Accounts>

function* findAccount(id: string): Query<Account | null> {
  const row = yield* first<AccountRow>(sql`SELECT ${COLUMNS} FROM accounts WHERE id = ${id}`)
  return row === undefined ? null : accountOf(row)
}

/** Leaves an existing account, and the owner of the address, as they are: then 0, else 1. */
export function insertAccount(account: Account): Query<number> {
  const { id, email, ownsEmail, emailVerifiedAt, name, role, status, limits, createdAt } = account
  return run(
    sql`INSERT INTO accounts (id, email, email_key, email_owned, email_verified_at, name, role, status, limits,
                              created_at)
        VALUES (${id}, ${email}, ${email}, ${ownsEmail ? 1 : 0}, ${emailVerifiedAt}, ${name}, ${role},
                ${status}, ${JSON.stringify(limits)}, ${createdAt})
        ON CONFLICT DO NOTHING`,
  )
}

/** The account and all that name its address, in the order of ids, which prevents deadlocks. */
export function lockAddress({ id, email }: Account): Query<void> {
  return onPostgres(
    sql`SELECT id FROM accounts WHERE id = ${id} OR email_key = ${text(email)} ORDER BY id FOR NO KEY UPDATE`,
  )
}

/** A proof of an address, as the database stands. */
interface Proof {
  readonly isNew: boolean
  readonly isFirst: boolean
}

/** The caller has locked the address. */
export function* checkProof({ id, email }: Account): Query<Proof | ProofRefusal> {
  const found = yield* rows<{ id: string; owned: number; status: string; verified_at: number | null }>(
    sql`SELECT id, email_owned AS owned, status, email_verified_at AS verified_at FROM accounts
        WHERE id = ${id} OR (email_key = ${email} AND email_owned = 1)`,
  )
  const [account] = found
  if (account === undefined) return { isNew: true, isFirst: true }
  if (found.length > 1 || account.id !== id || account.owned === 0) return 'other_owner'
  return account.status === 'active' ? { isNew: false, isFirst: account.verified_at === null } : 'blocked'
}

/**
 * Makes the account the owner of its address. False, having written nothing, if another was opened
 * at this moment: the unique index lets one of them.
 */
export function* recordProof(account: Account, { isNew, isFirst }: Proof, now: number): Query<boolean> {
  if (!isFirst) return true
  const owner = { ...account, ownsEmail: true, emailVerifiedAt: now }
  const changed = yield* isNew
    ? insertAccount(owner)
    : run(sql`UPDATE accounts SET email_verified_at = ${now} WHERE id = ${account.id}`)
  if (changed === 0) return false
  yield* clearClaims(account.email!)
  return true
}

/** Whoever named the address before its owner proved it names it no more. */
function clearClaims(email: string): Query<number> {
  return run(sql`UPDATE accounts SET email = NULL, email_key = NULL WHERE email_key = ${email} AND email_owned = 0`)
}

export function* insertKey(key: Key): Query<void> {
  const { id, accountId, kind, name, hash, hint, scopes, origins, ratePerMinute } = key
  yield* run(
    sql`INSERT INTO keys (id, account_id, kind, name, hash, hint, scopes, origins, rate_per_minute,
                          created_at, expires_at, revoked_at, from_environment)
        VALUES (${id}, ${accountId}, ${kind}, ${name}, ${hash}, ${hint}, ${JSON.stringify(scopes)},
                ${JSON.stringify(origins)}, ${ratePerMinute}, ${key.createdAt}, ${key.expiresAt}, ${key.revokedAt},
                ${key.fromEnvironment})`,
  )
}

/** The columns of an account beside those of a row that belongs to it. */
export const OWNER_COLUMNS = shared(
  `accounts.email AS owner_email, accounts.email_owned AS owner_owns_email,
   accounts.email_verified_at AS owner_verified_at, accounts.name AS owner_name, accounts.role AS owner_role, accounts.status AS owner_status, accounts.limits AS owner_limits,
   accounts.created_at AS owner_created_at`,
)

export interface OwnerColumns extends Pick<Key, 'accountId'> {
  readonly owner_email: string | null
  readonly owner_owns_email: number
  readonly owner_verified_at: number | null
  readonly owner_name: string | null
  readonly owner_role: Account['role']
  readonly owner_status: AccountStatus
  readonly owner_limits: string
  readonly owner_created_at: number
}

/** Without a copy of the row, which SQLite's rows are slow to make. */
export function ownerOf(row: OwnerColumns): Account {
  return {
    id: row.accountId,
    email: row.owner_email,
    ownsEmail: row.owner_owns_email === 1,
    emailVerifiedAt: row.owner_verified_at,
    name: row.owner_name,
    role: row.owner_role,
    status: row.owner_status,
    limits: JSON.parse(row.owner_limits) as Account['limits'],
    createdAt: row.owner_created_at,
  }
}

function isActiveAdmin({ role, status }: Account): boolean {
  return role === 'admin' && status === 'active'
}

/** Whether another admin has a way in: a key, a passkey, or an address that takes a link. */
function* hasOtherAdmin(id: string, now: number): Query<boolean> {
  const others = yield* rows(
    sql`SELECT 1 FROM accounts WHERE role = 'admin' AND status = 'active' AND id <> ${id} AND (
          email_verified_at IS NOT NULL
          OR EXISTS (SELECT 1 FROM passkeys WHERE account_id = accounts.id)
          OR EXISTS (SELECT 1 FROM keys WHERE account_id = accounts.id AND kind = 'live' AND revoked_at IS NULL
                       AND (expires_at IS NULL OR expires_at > ${now}))
        ) LIMIT 1`,
  )
  return others.length > 0
}

/**
 * Gives each watch a new revision, so that every node's index follows. Deliveries that were parked
 * meanwhile become due as after a resumption by the owner.
 */
function* suspendWatches(accountId: string, status: AccountStatus, now: number): Query<void> {
  const head = yield* first<{ revision: number }>(sql`SELECT revision FROM watch_head ${FOR_UPDATE}`)
  const { revision } = head!
  let changed: number
  if (status === 'blocked') {
    changed = yield* run(
      sql`UPDATE watches SET status = 'disabled', disabled_reason = ${ACCOUNT_BLOCKED_REASON}, updated_at = ${now},
            revision = ${revision} + numbered.place
          FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM watches
                WHERE account_id = ${accountId} AND status NOT IN ('paused', 'disabled')) AS numbered
          WHERE watches.id = numbered.id`,
    )
  } else {
    yield* run(
      sql`UPDATE watch_progress SET resumed_at = ${now} WHERE watch_id IN (
            SELECT id FROM watches
            WHERE account_id = ${accountId} AND status = 'disabled' AND disabled_reason = ${ACCOUNT_BLOCKED_REASON})`,
    )
    changed = yield* run(
      sql`UPDATE watches SET status = 'active', disabled_reason = NULL, updated_at = ${now},
            revision = ${revision} + numbered.place
          FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM watches
                WHERE account_id = ${accountId} AND status = 'disabled'
                  AND disabled_reason = ${ACCOUNT_BLOCKED_REASON}) AS numbered
          WHERE watches.id = numbered.id`,
    )
  }
  yield* nextWatchRevision(changed)
}

interface FoundAccount {
  readonly role: string
  readonly status: string
  readonly emailKey: string | null
}

/** Locks the account before the watches' head, as blocking does. */
function* removeAccount(id: string, now: number): Query<RemovedAccount | 'has_role' | null> {
  yield* begin()
  const account = yield* first<FoundAccount>(
    sql`SELECT role, status, email_key AS "emailKey" FROM accounts WHERE id = ${id} ${FOR_NO_KEY_UPDATE}`,
  )
  if (account === undefined || account.status === 'deleted') return null
  if (account.role !== 'client') return 'has_role'
  yield* removeWatches(id)
  yield* run(sql`DELETE FROM areas WHERE account_id = ${id}`)
  yield* run(sql`DELETE FROM site_lists WHERE account_id = ${id}`)
  yield* run(sql`DELETE FROM passkeys WHERE account_id = ${id}`)
  yield* run(sql`DELETE FROM sign_in_links WHERE account_id = ${id}`)
  const sessions = yield* rows<{ hash: string }>(
    sql`UPDATE sessions SET ended_at = coalesce(ended_at, ${now}), user_agent = NULL WHERE account_id = ${id}
        RETURNING hash`,
  )
  const keys = yield* rows<{ hash: string }>(
    sql`UPDATE keys SET revoked_at = coalesce(revoked_at, ${now}), name = NULL, origins = '[]' WHERE account_id = ${id}
        RETURNING hash`,
  )
  yield* run(sql`DELETE FROM idempotency WHERE subject = ${id}`)
  // The audit log keeps what was done, when and by which id.
  yield* run(
    sql`UPDATE audit SET actor = CASE WHEN account_id = ${id} THEN ${DELETED_ACCOUNT_NAME} ELSE actor END,
          old = ${OLD_WITHOUT_NAMES}, new = ${NEW_WITHOUT_NAMES}
        WHERE account_id = ${id} OR subject = ${id}`,
  )
  yield* run(
    sql`UPDATE accounts SET email = NULL, email_key = NULL, email_owned = 0, email_verified_at = NULL, name = NULL,
          limits = '{}', status = 'deleted', blocked_at = ${now}
        WHERE id = ${id}`,
  )
  if (account.emailKey !== null) yield* removeMailedLinks(account.emailKey)
  return { keyHashes: keys.map(({ hash }) => hash), sessionHashes: sessions.map(({ hash }) => hash) }
}

/** Unless another account names the address. */
function* removeMailedLinks(email: string): Query<void> {
  const named = yield* rows(sql`SELECT 1 FROM accounts WHERE email_key = ${email} LIMIT 1`)
  if (named.length > 0) return
  yield* run(sql`DELETE FROM signups WHERE purpose = 'recovery' AND lower(email) = ${email}`)
  yield* run(sql`DELETE FROM sign_in_links WHERE email = ${email}`)
}

const REMOVED_WATCHES = insertedRows({ id: 'text', revision: 'bigint', emptied: 'boolean' })

/** Each removal has a revision, so that every node's index follows. */
function* removeWatches(accountId: string): Query<void> {
  yield* lockWatchHead()
  const removed = yield* rows<{ id: string }>(sql`DELETE FROM watches WHERE account_id = ${accountId} RETURNING id`)
  const first = (yield* nextWatchRevision(removed.length)) - removed.length + 1
  const ids = removed.map(({ id }) => id).sort()
  yield* run(
    sql`INSERT INTO removed_watches (id, revision, emptied) ${REMOVED_WATCHES(
      ids.map((id, index) => [id, first + index, false]),
    )}`,
  )
}

/** PostgreSQL cannot remove fields from JSON's null. */
function namesRemoved(column: string): Fragment {
  return differing(
    `json_remove(${column}, '$.name', '$.email', '$.user_agent')`,
    `CASE WHEN ${column} = 'null' THEN ${column}
     ELSE (${column}::jsonb - '{name,email,user_agent}'::text[])::text END`,
  )
}
const [OLD_WITHOUT_NAMES, NEW_WITHOUT_NAMES] = [namesRemoved('old'), namesRemoved('new')]

export const mails = {
  *countMail(subject, day, max) {
    // Without a row there is nothing to compare: the first would always count.
    if (max < 1) return false
    const counted = yield* run(
      sql`INSERT INTO mails (day, subject, mails) VALUES (${day}, ${subject}, 1)
          ON CONFLICT (day, subject) DO UPDATE SET mails = mails.mails + 1 WHERE mails.mails < ${max}`,
    )
    return counted === 1
  },

  *deleteBefore(day) {
    yield* run(sql`DELETE FROM mails WHERE day < ${day}`)
  },
} satisfies QueriesOf<Mails>
