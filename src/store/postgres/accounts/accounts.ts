import {
  ACCOUNT_BLOCKED_REASON,
  type Account,
  type AccountStatus,
  emailKey,
  isHigherRole,
} from '../../../domain/accounts.ts'
import { type AccountRow, accountOf } from '../../shared/rows/account-rows.ts'
import type { Accounts } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { CHANNEL } from '../connection/listen.ts'
import { insertAccount, insertKey } from './insert.ts'
import { removeAccount } from './remove-account.ts'

export function accounts(connection: PostgresConnection): Accounts {
  return {
    open(account, key) {
      return connection.transaction(async (query) => {
        await insertAccount(query, account)
        await insertKey(query, key)
      })
    },

    async ensure(account) {
      await insertAccount(connection.query, account)
    },

    find: (id) => findAccount(connection.query, id),

    async list(filter, limit, before) {
      const rows = await connection.query<AccountRow>(
        `SELECT id, email, email_verified_at, name, role, status, limits, created_at FROM accounts
         WHERE ($1::text IS NULL OR email_key = $1) AND ($2::text IS NULL OR role = $2)
           AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR id < $4)
         ORDER BY id DESC
         LIMIT $5`,
        [
          filter.email === undefined ? null : emailKey(filter.email),
          filter.role ?? null,
          filter.status ?? null,
          before,
          limit,
        ],
      )
      return rows.map(accountOf)
    },

    change(id, patch, now) {
      return connection.transaction(async (query) => {
        // Locks the admins and the account, in the order of ids, which prevents deadlocks. Not FOR
        // UPDATE: that would wait for the foreign keys of new keys and watches.
        await query(
          `SELECT id FROM accounts WHERE id = $1 OR (role = 'admin' AND status = 'active')
           ORDER BY id FOR NO KEY UPDATE`,
          [id],
        )
        const account = await findAccount(query, id)
        if (account === null || account.status === 'deleted') return null
        const changed = { ...account, ...patch }
        if (isActiveAdmin(account) && !isActiveAdmin(changed) && !(await hasOtherAdmin(query, id, now)))
          return 'last_admin'
        await query(
          `UPDATE accounts SET name = $6, role = $2, status = $3, limits = $4,
             blocked_at = CASE WHEN $3 = 'active' THEN NULL ELSE coalesce(blocked_at, $5) END
           WHERE id = $1`,
          [id, changed.role, changed.status, JSON.stringify(changed.limits), now, changed.name],
        )
        if (isHigherRole(changed.role, account.role)) await query('DELETE FROM passkeys WHERE account_id = $1', [id])
        if (account.status !== changed.status) await suspendWatches(query, id, changed.status, now)
        return changed
      })
    },

    remove: (id, now) => connection.transaction((query) => removeAccount(query, id, now)),

    async deletedSince(time) {
      const rows = await connection.query<{ id: string }>(
        `SELECT id FROM accounts WHERE blocked_at >= $1 AND status = 'deleted'`,
        [time],
      )
      return rows.map(({ id }) => id)
    },

    async countWatches(id) {
      const [row] = await connection.query<{ watches: number }>(
        'SELECT count(*) AS watches FROM watches WHERE account_id = $1',
        [id],
      )
      return row!.watches
    },

    async listReports(id, limit, before) {
      const rows = await connection.query<{ incident_id: string }>(
        `SELECT DISTINCT incident_id FROM steps
         WHERE step = 'report' AND account_id = $1 AND ($3::text IS NULL OR incident_id < $3)
         ORDER BY incident_id DESC
         LIMIT $2`,
        [id, limit, before],
      )
      return rows.map(({ incident_id }) => incident_id)
    },

    async hasReported(id, incidentId) {
      const steps = await connection.query(
        `SELECT 1 FROM steps WHERE step = 'report' AND incident_id = $1 AND account_id = $2 LIMIT 1`,
        [incidentId, id],
      )
      return steps.length > 0
    },

    async verifyEmail(id, now) {
      await connection.query(
        `UPDATE accounts SET email_verified_at = coalesce(email_verified_at, $1) WHERE id = $2 AND status <> 'deleted'`,
        [now, id],
      )
    },
  }
}

function isActiveAdmin({ role, status }: Account): boolean {
  return role === 'admin' && status === 'active'
}

/** Whether another admin has a way in: a key, a passkey, or an address that takes a link. */
async function hasOtherAdmin(query: Query, id: string, now: number): Promise<boolean> {
  const others = await query(
    `SELECT 1 FROM accounts WHERE role = 'admin' AND status = 'active' AND id <> $1 AND (
       email_verified_at IS NOT NULL
       OR EXISTS (SELECT 1 FROM passkeys WHERE account_id = accounts.id)
       OR EXISTS (SELECT 1 FROM keys WHERE account_id = accounts.id AND kind = 'live' AND revoked_at IS NULL
                    AND (expires_at IS NULL OR expires_at > $2))
     ) LIMIT 1`,
    [id, now],
  )
  return others.length > 0
}

/**
 * Gives each watch a new revision, so that every node's index follows. Deliveries that were parked
 * meanwhile become due as after a resumption by the owner.
 */
async function suspendWatches(query: Query, accountId: string, status: AccountStatus, now: number): Promise<void> {
  const [head] = await query<{ revision: number }>('SELECT revision FROM watch_head FOR UPDATE')
  const values = [accountId, ACCOUNT_BLOCKED_REASON, now, head!.revision]
  if (status === 'active')
    await query(
      `UPDATE watch_progress SET resumed_at = $3 WHERE watch_id IN (
         SELECT id FROM watches WHERE account_id = $1 AND status = 'disabled' AND disabled_reason = $2)`,
      [accountId, ACCOUNT_BLOCKED_REASON, now],
    )
  const changed =
    status === 'blocked'
      ? await query(
          `UPDATE watches SET status = 'disabled', disabled_reason = $2, updated_at = $3, revision = $4 + numbered.place
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM watches
                 WHERE account_id = $1 AND status NOT IN ('paused', 'disabled')) AS numbered
           WHERE watches.id = numbered.id
           RETURNING watches.id`,
          values,
        )
      : await query(
          `UPDATE watches SET status = 'active', disabled_reason = NULL, updated_at = $3, revision = $4 + numbered.place
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM watches
                 WHERE account_id = $1 AND status = 'disabled' AND disabled_reason = $2) AS numbered
           WHERE watches.id = numbered.id
           RETURNING watches.id`,
          values,
        )
  await query(
    `WITH advanced AS (UPDATE watch_head SET revision = revision + $2)
     SELECT pg_notify($1, 'watches')`,
    [CHANNEL, changed.length],
  )
}

async function findAccount(query: Query, id: string): Promise<Account | null> {
  const [row] = await query<AccountRow>(
    'SELECT id, email, email_verified_at, name, role, status, limits, created_at FROM accounts WHERE id = $1',
    [id],
  )
  return row === undefined ? null : accountOf(row)
}
