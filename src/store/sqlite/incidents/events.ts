import { logHead } from '../../queries/heads.ts'
import type { LogHead } from '../../store.ts'
import type { Database } from '../database.ts'

export function headOf(database: Database): LogHead {
  return database.perform(logHead())
}
