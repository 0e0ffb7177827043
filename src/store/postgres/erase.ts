import { REDACTED_TABLES } from '../queries/redactions.ts'
import type { PostgresConnection } from './connection.ts'
import { LONG_LIMITS } from './servers.ts'

/**
 * Makes the room of overwritten rows free for others. Their bytes stay in the files until new rows
 * take that room; the server's log, replicas and backups keep them longer (docs/redaction.md).
 */
export function eraseOverwritten(connection: PostgresConnection): Promise<void> {
  return connection.borrow(async ({ query, release }) => {
    // VACUUM runs outside of a transaction: the limits are those of the session, which ends here.
    await query(`SELECT set_config('statement_timeout', '${LONG_LIMITS.statement}', false),
                        set_config('lock_timeout', '${LONG_LIMITS.lock}', false)`)
    await query(`SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'`)
    for (const table of REDACTED_TABLES) await query(`VACUUM ${table}`)
    release()
  }, LONG_LIMITS)
}
