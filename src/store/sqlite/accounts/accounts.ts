import {
  ACCOUNT_BLOCKED_REASON,
  type Account,
  type AccountPatch,
  type AccountStatus,
  emailKey,
  isHigherRole,
} from '../../../domain/accounts.ts'
import type { Key } from '../../../domain/keys.ts'
import type { AccountFilter, RemovedAccount } from '../../accounts/accounts.ts'
import { type AccountRow, accountOf } from '../../shared/rows/account-rows.ts'
import type { Database } from '../connection/database.ts'
import { insertAccount, insertKey } from './insert.ts'
import { removeAccount } from './remove-account.ts'

export function accounts(database: Database) {
  return {
    open(account: Account, key: Key): void {
      database.transaction(() => {
        insertAccount(database, account)
        insertKey(database, key)
      })
    },

    ensure(account: Account): void {
      if (findAccount(database, account.id) === null) insertAccount(database, account)
    },

    find(id: string): Account | null {
      return findAccount(database, id)
    },

    list(filter: AccountFilter, limit: number, before: string | null): Account[] {
      const rows = database.all<AccountRow>(
        `SELECT id, email, email_verified_at, name, role, status, limits, created_at FROM accounts
         WHERE (:email IS NULL OR email_key = :email) AND (:role IS NULL OR role = :role)
           AND (:status IS NULL OR status = :status) AND (:before IS NULL OR id < :before)
         ORDER BY id DESC
         LIMIT +:limit`,
        {
          email: filter.email === undefined ? null : emailKey(filter.email),
          role: filter.role ?? null,
          status: filter.status ?? null,
          before,
          limit,
        },
      )
      return rows.map(accountOf)
    },

    change(id: string, patch: AccountPatch, now: number): Account | 'last_admin' | null {
      return database.transaction(() => {
        const account = findAccount(database, id)
        if (account === null || account.status === 'deleted') return null
        const changed = { ...account, ...patch }
        if (isActiveAdmin(account) && !isActiveAdmin(changed) && !hasOtherAdmin(database, id, now)) return 'last_admin'
        database.run(
          `UPDATE accounts SET name = ?6, role = ?2, status = ?3, limits = ?4,
             blocked_at = CASE WHEN ?3 = 'active' THEN NULL ELSE coalesce(blocked_at, ?5) END
           WHERE id = ?1`,
          [id, changed.role, changed.status, JSON.stringify(changed.limits), now, changed.name],
        )
        if (isHigherRole(changed.role, account.role)) database.run('DELETE FROM passkeys WHERE account_id = ?', [id])
        if (account.status !== changed.status) suspendWatches(database, id, changed.status, now)
        return changed
      })
    },

    remove(id: string, now: number): RemovedAccount | 'has_role' | null {
      return database.transaction(() => removeAccount(database, id, now))
    },

    deletedSince(time: number): string[] {
      return database
        .all<{ id: string }>(`SELECT id FROM accounts WHERE blocked_at >= ? AND status = 'deleted'`, [time])
        .map(({ id }) => id)
    },

    countWatches(id: string): number {
      return database.get<{ watches: number }>('SELECT count(*) AS watches FROM watches WHERE account_id = ?', [id])!
        .watches
    },

    listReports(id: string, limit: number, before: string | null): string[] {
      return database
        .all<{ incident_id: string }>(
          `SELECT DISTINCT incident_id FROM steps
           WHERE step = 'report' AND account_id = :id AND (:before IS NULL OR incident_id < :before)
           ORDER BY incident_id DESC
           LIMIT +:limit`,
          { id, limit, before },
        )
        .map(({ incident_id }) => incident_id)
    },

    hasReported(id: string, incidentId: string): boolean {
      const step = database.get(
        `SELECT 1 FROM steps WHERE step = 'report' AND incident_id = ? AND account_id = ? LIMIT 1`,
        [incidentId, id],
      )
      return step !== undefined
    },

    verifyEmail(id: string, now: number): void {
      database.run(
        "UPDATE accounts SET email_verified_at = coalesce(email_verified_at, ?) WHERE id = ? AND status <> 'deleted'",
        [now, id],
      )
    },
  }
}

function isActiveAdmin({ role, status }: Account): boolean {
  return role === 'admin' && status === 'active'
}

/** Whether another admin has a way in: a key, a passkey, or an address that takes a link. */
function hasOtherAdmin(database: Database, id: string, now: number): boolean {
  const other = database.get(
    `SELECT 1 FROM accounts WHERE role = 'admin' AND status = 'active' AND id <> ?1 AND (
       email_verified_at IS NOT NULL
       OR EXISTS (SELECT 1 FROM passkeys WHERE account_id = accounts.id)
       OR EXISTS (SELECT 1 FROM keys WHERE account_id = accounts.id AND kind = 'live' AND revoked_at IS NULL
                    AND (expires_at IS NULL OR expires_at > ?2))
     ) LIMIT 1`,
    [id, now],
  )
  return other !== undefined
}

/**
 * Gives each watch a new revision, so that every node's index follows. Deliveries that were parked
 * meanwhile become due as after a resumption by the owner.
 */
function suspendWatches(database: Database, accountId: string, status: AccountStatus, now: number): void {
  const { revision } = database.get<{ revision: number }>('SELECT revision FROM watch_head')!
  if (status === 'active')
    database.run(
      `UPDATE watch_progress SET resumed_at = ?3 WHERE watch_id IN (
         SELECT id FROM watches WHERE account_id = ?1 AND status = 'disabled' AND disabled_reason = ?2)`,
      [accountId, ACCOUNT_BLOCKED_REASON, now],
    )
  const changed =
    status === 'blocked'
      ? database.run(
          `UPDATE watches SET status = 'disabled', disabled_reason = ?2, updated_at = ?3, revision = ?4 + numbered.place
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM watches
                 WHERE account_id = ?1 AND status NOT IN ('paused', 'disabled')) AS numbered
           WHERE watches.id = numbered.id`,
          [accountId, ACCOUNT_BLOCKED_REASON, now, revision],
        )
      : database.run(
          `UPDATE watches SET status = 'active', disabled_reason = NULL, updated_at = ?3, revision = ?4 + numbered.place
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM watches
                 WHERE account_id = ?1 AND status = 'disabled' AND disabled_reason = ?2) AS numbered
           WHERE watches.id = numbered.id`,
          [accountId, ACCOUNT_BLOCKED_REASON, now, revision],
        )
  database.hasNotified = true
  database.run('UPDATE watch_head SET revision = revision + ?', [changed])
}

function findAccount(database: Database, id: string): Account | null {
  const row = database.get<AccountRow>(
    'SELECT id, email, email_verified_at, name, role, status, limits, created_at FROM accounts WHERE id = ?',
    [id],
  )
  return row === undefined ? null : accountOf(row)
}
