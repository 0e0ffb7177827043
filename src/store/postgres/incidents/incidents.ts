import { savePlan as save } from '../../queries/save.ts'
import type { WritePlan } from '../../shared/write-plan.ts'
import type { LogHead } from '../../store.ts'
import { performWithin, type Query } from '../connection.ts'

export function savePlan(query: Query, plan: WritePlan): Promise<LogHead> {
  return performWithin(query, save(plan))
}
