import type { SavedArea } from '../../../domain/area.ts'
import type { UsedArea } from '../../areas.ts'

export interface AreaRow {
  id: string
  account_id: string
  name: string
  shape: string
  created_at: number
  updated_at: number
  watches: number
}

export function areaOf(row: AreaRow): UsedArea {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    shape: row.shape,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    watches: row.watches,
  }
}

/** In the order of the table's columns. */
export function areaValues({ id, accountId, name, shape, createdAt, updatedAt }: SavedArea) {
  return [id, accountId, name, shape, createdAt, updatedAt] as const
}
