import { logHead } from '../../queries/heads.ts'
import type { LogHead } from '../../store.ts'
import { performWithin, type Query } from '../connection.ts'

export function headOf(query: Query): Promise<LogHead> {
  return performWithin(query, logHead())
}
