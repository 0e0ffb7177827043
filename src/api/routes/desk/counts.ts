import { STATUSES } from '../../../domain/incident.ts'
import { ORIGINS } from '../../../domain/moderation.ts'
import { SEVERITIES } from '../../../domain/taxonomy.ts'
import type { DeskCount } from '../../../store/store.ts'
import type { Services } from '../../services.ts'

/** Public incidents are counted in the archive: the desk has no entry of imported ones. */
export async function countsResponse({ store, archive }: Services, accountId: string, now: number) {
  // Read first: a change after it shows in the stream again, none is missed.
  const revision = await store.desk.head()
  const [counts, claims] = await Promise.all([store.desk.counts(), store.desk.claimCounts(now)])
  const open = counts.filter(({ status }) => status === 'reported')
  const reported = sumOf(open, () => true)
  const mine = claims.find((claim) => claim.accountId === accountId)?.reports ?? 0
  const claimed = claims.reduce((sum, { reports }) => sum + reports, 0)
  const byStatus = sums(STATUSES, (status) => sumOf(counts, (count) => count.status === status))
  return {
    status: { ...byStatus, confirmed: archive.size },
    origin: sums(ORIGINS, (origin) => sumOf(open, (count) => count.origin === origin)),
    severity: sums(SEVERITIES, (severity) => sumOf(open, (count) => count.severity === severity)),
    claimed: { me: mine, others: claimed - mine, none: Math.max(0, reported - claimed) },
    revision,
  }
}

function sums<Name extends string>(names: readonly Name[], sum: (name: Name) => number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number>
}

function sumOf(counts: readonly DeskCount[], counted: (count: DeskCount) => boolean): number {
  return counts.filter(counted).reduce((sum, { entries }) => sum + entries, 0)
}
