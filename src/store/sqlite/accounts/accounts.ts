import type { Account, Key } from '../../../domain/key.ts'
import { type AccountRow, accountOf } from '../../shared/rows.ts'
import type { Database } from '../connection/database.ts'
import { insertKey } from './keys.ts'

export function accounts(database: Database) {
  return {
    open(account: Account, key: Key): void {
      database.transaction(() => {
        database.run('INSERT INTO accounts (id, email, name, created_at) VALUES (?, ?, ?, ?)', [
          account.id,
          account.email,
          account.name,
          account.createdAt,
        ])
        insertKey(database, key)
      })
    },

    find(id: string): Account | null {
      const row = database.get<AccountRow>('SELECT id, email, name, created_at FROM accounts WHERE id = ?', [id])
      return row === undefined ? null : accountOf(row)
    },
  }
}
