import type { DeskOrder } from '../../domain/moderation.ts'
import type { DeskPosition } from '../desk.ts'

/** The rank of an entry in each order, and the direction: the same SQL in both dialects. */
export const DESK_ORDER_SQL = {
  newest: { rank: '0', sort: 'reported_at DESC, id DESC', after: '<' },
  oldest: { rank: '0', sort: 'reported_at, id', after: '>' },
  severity: { rank: 'severity', sort: 'severity DESC, reported_at DESC, id DESC', after: '<' },
  confidence: { rank: 'confidence', sort: 'confidence DESC, reported_at DESC, id DESC', after: '<' },
} as const satisfies Record<DeskOrder, { rank: string; sort: string; after: '<' | '>' }>

/** Before all entries in the order. */
export function firstPosition(order: DeskOrder): DeskPosition {
  return order === 'oldest'
    ? { rank: 0, reportedAt: Number.MIN_SAFE_INTEGER, id: '' }
    : { rank: 1_000, reportedAt: Number.MAX_SAFE_INTEGER, id: '~' }
}

/** Compares with a position, in the order of an index. */
export function afterSql(order: DeskOrder, names: { rank: string; reportedAt: string; id: string }): string {
  const { rank, after } = DESK_ORDER_SQL[order]
  return rank === '0'
    ? `(reported_at, id) ${after} (${names.reportedAt}, ${names.id})`
    : `(${rank}, reported_at, id) ${after} (${names.rank}, ${names.reportedAt}, ${names.id})`
}

/** The values that `afterSql` names. */
export function positionValues(order: DeskOrder, { rank, reportedAt, id }: DeskPosition): Partial<DeskPosition> {
  return DESK_ORDER_SQL[order].rank === '0' ? { reportedAt, id } : { rank, reportedAt, id }
}
