import type { Session } from '../../../domain/accounts.ts'
import { type StoredSessionRow, sessionValues, storedSessionOf } from '../../shared/rows/sign-in-rows.ts'
import type { StoredSession } from '../../store.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { Database } from '../connection/database.ts'

export function sessions(database: Database) {
  return {
    open(session: Session, max: number): void {
      database.transaction(() => openSession(database, session, max))
    },

    findByHash(hash: string): StoredSession | null {
      const row = database.get<StoredSessionRow>(
        `SELECT sessions.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                accounts.limits AS account_limits, accounts.created_at AS account_created_at,
                keys.id AS found_key_id, keys.name AS key_name, keys.scopes AS key_scopes,
                keys.created_at AS key_created_at, keys.expires_at AS key_expires_at, keys.revoked_at AS key_revoked_at
         FROM sessions JOIN accounts ON accounts.id = sessions.account_id LEFT JOIN keys ON keys.id = sessions.key_id
         WHERE sessions.hash = +?`,
        [hash],
      )
      return row === undefined ? null : storedSessionOf(row)
    },

    list(accountId: string, now: number, seenAfter: number): StoredSession[] {
      return database
        .all<StoredSessionRow>(
          `SELECT sessions.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                  accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                  accounts.limits AS account_limits, accounts.created_at AS account_created_at,
                  keys.id AS found_key_id, keys.name AS key_name, keys.scopes AS key_scopes,
                  keys.created_at AS key_created_at, keys.expires_at AS key_expires_at, keys.revoked_at AS key_revoked_at
           FROM sessions JOIN accounts ON accounts.id = sessions.account_id LEFT JOIN keys ON keys.id = sessions.key_id
           WHERE sessions.account_id = +? AND ended_at IS NULL AND sessions.expires_at > ? AND seen_at > ?
           ORDER BY seen_at DESC, sessions.id DESC`,
          [accountId, now, seenAfter],
        )
        .map(storedSessionOf)
    },

    recordUse(id: string, now: number): void {
      database.run('UPDATE sessions SET seen_at = ?1 WHERE id = ?2 AND seen_at < ?1', [now, id])
    },

    end(accountId: string, id: string, now: number): { hash: string } | null {
      const row = database.get<{ hash: string }>(
        'UPDATE sessions SET ended_at = coalesce(ended_at, ?) WHERE account_id = ? AND id = ? RETURNING hash',
        [now, accountId, id],
      )
      return row === undefined ? null : { hash: row.hash }
    },

    endAll(accountId: string, now: number, kept: string | null): string[] {
      return database
        .all<{ hash: string }>(
          `UPDATE sessions SET ended_at = ?1 WHERE account_id = ?2 AND ended_at IS NULL AND (?3 IS NULL OR id <> ?3)
           RETURNING hash`,
          [now, accountId, kept],
        )
        .map(({ hash }) => hash)
    },

    endedSince(time: number): string[] {
      return database
        .all<{ hash: string }>(
          `SELECT hash FROM sessions WHERE ended_at >= ?1
           UNION
           SELECT sessions.hash FROM sessions JOIN keys ON keys.id = sessions.key_id WHERE keys.revoked_at >= ?1
           UNION
           SELECT sessions.hash FROM accounts JOIN sessions ON sessions.account_id = accounts.id
           WHERE accounts.blocked_at >= ?1`,
          [time],
        )
        .map(({ hash }) => hash)
    },

    deleteExpired(before: number, limit: number): number {
      return database.run(
        `DELETE FROM sessions WHERE id IN (
           SELECT id FROM sessions WHERE expires_at < ?1 OR ended_at < ?1 LIMIT +?2)`,
        [before, limit],
      )
    },
  }
}

/** Runs within the caller's transaction. */
export function openSession(database: Database, session: Session, max: number): void {
  requireOpen(database, session.accountId)
  database.run(
    `UPDATE sessions SET ended_at = ?1 WHERE id IN (
       SELECT id FROM sessions WHERE account_id = ?2 AND ended_at IS NULL AND expires_at > ?1
       ORDER BY seen_at DESC LIMIT -1 OFFSET ?3)`,
    [session.createdAt, session.accountId, max - 1],
  )
  database.run(
    `INSERT INTO sessions (id, account_id, method, key_id, passkey_id, hash, user_agent,
                           created_at, seen_at, expires_at, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sessionValues(session),
  )
}
