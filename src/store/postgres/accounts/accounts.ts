import { type AccountRow, accountOf } from '../../shared/rows.ts'
import type { Accounts } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import { insertKey } from './keys.ts'

export function accounts(connection: PostgresConnection): Accounts {
  return {
    open(account, key) {
      return connection.transaction(async (query) => {
        await query('INSERT INTO accounts (id, email, name, created_at) VALUES ($1, $2, $3, $4)', [
          account.id,
          account.email,
          account.name,
          account.createdAt,
        ])
        await insertKey(query, key)
      })
    },

    async find(id) {
      const [row] = await connection.query<AccountRow>(
        'SELECT id, email, name, created_at FROM accounts WHERE id = $1',
        [id],
      )
      return row === undefined ? null : accountOf(row)
    },
  }
}
