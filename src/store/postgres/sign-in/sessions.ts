import type { Session } from '../../../domain/accounts.ts'
import { type StoredSessionRow, sessionValues, storedSessionOf } from '../../shared/rows/sign-in-rows.ts'
import type { Sessions } from '../../store.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'

export function sessions(connection: PostgresConnection): Sessions {
  return {
    open: (session, max) => connection.transaction((query) => openSession(query, session, max)),

    async findByHash(hash) {
      const [row] = await connection.query<StoredSessionRow>(
        `SELECT sessions.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                accounts.limits AS account_limits, accounts.created_at AS account_created_at,
                keys.id AS found_key_id, keys.name AS key_name, keys.scopes AS key_scopes,
                keys.created_at AS key_created_at, keys.expires_at AS key_expires_at, keys.revoked_at AS key_revoked_at
         FROM sessions JOIN accounts ON accounts.id = sessions.account_id LEFT JOIN keys ON keys.id = sessions.key_id
         WHERE sessions.hash = $1`,
        [hash],
      )
      return row === undefined ? null : storedSessionOf(row)
    },

    async list(accountId, now, seenAfter) {
      const rows = await connection.query<StoredSessionRow>(
        `SELECT sessions.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                accounts.limits AS account_limits, accounts.created_at AS account_created_at,
                keys.id AS found_key_id, keys.name AS key_name, keys.scopes AS key_scopes,
                keys.created_at AS key_created_at, keys.expires_at AS key_expires_at, keys.revoked_at AS key_revoked_at
         FROM sessions JOIN accounts ON accounts.id = sessions.account_id LEFT JOIN keys ON keys.id = sessions.key_id
         WHERE sessions.account_id = $1 AND ended_at IS NULL AND sessions.expires_at > $2 AND seen_at > $3
         ORDER BY seen_at DESC, sessions.id DESC`,
        [accountId, now, seenAfter],
      )
      return rows.map(storedSessionOf)
    },

    async recordUse(id, now) {
      await connection.query('UPDATE sessions SET seen_at = $1 WHERE id = $2 AND seen_at < $1', [now, id])
    },

    async end(accountId, id, now) {
      const [row] = await connection.query<{ hash: string }>(
        'UPDATE sessions SET ended_at = coalesce(ended_at, $1) WHERE account_id = $2 AND id = $3 RETURNING hash',
        [now, accountId, id],
      )
      return row === undefined ? null : { hash: row.hash }
    },

    async endAll(accountId, now, kept) {
      const rows = await connection.query<{ hash: string }>(
        `UPDATE sessions SET ended_at = $1
         WHERE account_id = $2 AND ended_at IS NULL AND ($3::text IS NULL OR id <> $3)
         RETURNING hash`,
        [now, accountId, kept],
      )
      return rows.map(({ hash }) => hash)
    },

    async endedSince(time) {
      const rows = await connection.query<{ hash: string }>(
        `SELECT hash FROM sessions WHERE ended_at >= $1
         UNION
         SELECT sessions.hash FROM sessions JOIN keys ON keys.id = sessions.key_id WHERE keys.revoked_at >= $1
         UNION
         SELECT sessions.hash FROM accounts JOIN sessions ON sessions.account_id = accounts.id
         WHERE accounts.blocked_at >= $1`,
        [time],
      )
      return rows.map(({ hash }) => hash)
    },

    async deleteExpired(before, limit) {
      const deleted = await connection.query(
        `DELETE FROM sessions WHERE id = ANY (ARRAY(
           SELECT id FROM sessions WHERE expires_at < $1 OR ended_at < $1
           LIMIT $2
           FOR UPDATE SKIP LOCKED
         ))
         RETURNING id`,
        [before, limit],
      )
      return deleted.length
    },
  }
}

/** Runs within the caller's transaction. The account is locked: concurrent sign-ins are counted. */
export async function openSession(query: Query, session: Session, max: number): Promise<void> {
  await lockAccount(query, session.accountId)
  await requireOpen(query, session.accountId)
  await query(
    `UPDATE sessions SET ended_at = $1 WHERE id = ANY (ARRAY(
       SELECT id FROM sessions WHERE account_id = $2 AND ended_at IS NULL AND expires_at > $1
       ORDER BY seen_at DESC OFFSET $3))`,
    [session.createdAt, session.accountId, max - 1],
  )
  await query(
    `INSERT INTO sessions (id, account_id, method, key_id, passkey_id, hash, user_agent,
                           created_at, seen_at, expires_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    sessionValues(session),
  )
}
