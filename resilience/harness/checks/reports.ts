import type { Client } from '../clients/client.ts'

export interface ReportCounts {
  /** Reports that the service acknowledged. */
  readonly reports: number
  /** Acknowledged reports that the desk does not have, or has under another id. */
  readonly reportsLost: number
  /** Reports that the desk has more than once. */
  readonly reportsDoubled: number
}

const STATUSES = ['reported', 'confirmed', 'retracted']
const NUMBER = /^Report number (\d+)\./

/**
 * Compares the reports at the desk with those that operators posted, each with an
 * `Idempotency-Key` and as often as necessary. `reported` has the number and id of each.
 */
export async function countReports(client: Client, reported: ReadonlyMap<number, string>): Promise<ReportCounts> {
  const stored = new Map<number, string[]>()
  for (const status of STATUSES) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/v1/desk/incidents?status=${status}&limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      const { body } = await client.requestUntilAnswered('GET', path)
      for (const { id, summary } of body.data as { id: string; summary: string }[]) {
        const number = NUMBER.exec(summary)?.[1]
        if (number === undefined) continue
        stored.set(Number(number), [...(stored.get(Number(number)) ?? []), id])
      }
      cursor = body.next_cursor as string | null
    }
  }
  return {
    reports: reported.size,
    reportsLost: [...reported].filter(([number, id]) => !stored.get(number)?.includes(id)).length,
    reportsDoubled: [...stored.values()].filter(({ length }) => length > 1).length,
  }
}
