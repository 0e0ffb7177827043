import { savePlan as save } from '../../queries/save.ts'
import type { WritePlan } from '../../shared/write-plan.ts'
import type { LogHead } from '../../store.ts'
import type { Database } from '../database.ts'

export const incidents = (database: Database) => ({ save: (plan: WritePlan) => savePlan(database, plan) })

export function savePlan(database: Database, plan: WritePlan): LogHead {
  return database.perform(save(plan))
}
