import type { Edit, Sabotage } from '../sabotage.ts'

function noticedBy(test: string, name: string, edit: Edit): Sabotage {
  return { name, edits: [edit], proofs: [`test:test/${test}`] }
}

/** Defects of one more, one less or one hour: of boxes, pages, time zones, quotas and retention. */
export const BOUNDARY_SABOTAGES: readonly Sabotage[] = [
  noticedBy('geo/locate.slow.test.ts', 'a box test is dropped from locating', {
    file: 'src/geo/geography.ts',
    find: '(!box || isInBox(box, lat, lng))',
    replace: '(!box || isInBox(box, box.south, box.west))',
  }),
  noticedBy('api/paging.test.ts', 'the last full page says that more follows', {
    file: 'src/api/request.ts',
    find: 'const more = items.length > limit',
    replace: 'const more = items.length >= limit',
  }),
  noticedBy('api/paging.test.ts', 'a page of areas begins with the last one of the page before', {
    file: 'src/store/queries/areas.ts',
    find: 'FROM areas WHERE account_id = ${accountId} AND (${text(before)} IS NULL OR id < ${before})',
    replace: 'FROM areas WHERE account_id = ${accountId} AND (${text(before)} IS NULL OR id <= ${before})',
  }),
  noticedBy('api/paging.test.ts', 'the next page of reports skips one', {
    file: 'src/api/reports.ts',
    find: 'next_cursor: ids.length > limit ? page.at(-1)! : null',
    replace: 'next_cursor: ids.length > limit ? ids.at(-1)! : null',
  }),
  noticedBy('domain/retry.test.ts', 'digests and quiet hours go by UTC', {
    file: 'src/domain/schedule.ts',
    find: "ZONE_OFFSETS['Africa/Lagos']",
    replace: 'ZONE_OFFSETS.UTC',
  }),
  noticedBy('reading/extract.test.ts', 'the day of a story is that in UTC', {
    file: 'src/reading/time.ts',
    find: "ZONE_OFFSETS['Africa/Lagos']",
    replace: 'ZONE_OFFSETS.UTC',
  }),
  noticedBy('api/statistics.test.ts', 'days of statistics begin at midnight in UTC', {
    file: 'src/lib/calendar.ts',
    find: "export const ZONE_OFFSETS = { UTC: 0, 'Africa/Lagos': HOUR } as const",
    replace: "export const ZONE_OFFSETS = { UTC: 0, 'Africa/Lagos': 0 } as const",
  }),
  noticedBy('api/accounts/keys.test.ts', 'an account has one key more than it may', {
    file: 'src/store/queries/keys.ts',
    find: 'if (valid >= cap.valid)',
    replace: 'if (valid > cap.valid)',
  }),
  noticedBy('api/auth.test.ts', 'previews are not counted', {
    file: 'src/api/watches/contract.ts',
    find: "  quota: 'previews_per_minute',\n",
    replace: '',
  }),
  noticedBy('startup/maintenance.test.ts', 'a revoked key is kept for a day too long', {
    file: 'src/startup/maintenance.ts',
    find: 'const KEY_RETENTION_MS = 90 * DAY_MS',
    replace: 'const KEY_RETENTION_MS = 91 * DAY_MS',
  }),
  noticedBy('startup/maintenance.test.ts', 'deliveries are deleted a day too early', {
    file: 'src/startup/maintenance.ts',
    find: 'agingClock() - keptDays.deliveries * DAY_MS',
    replace: 'agingClock() - (keptDays.deliveries - 1) * DAY_MS',
  }),
  noticedBy('startup/maintenance.test.ts', 'the contact of a tip is kept for a day too long', {
    file: 'src/startup/maintenance.ts',
    find: 'now - tipContactDays * DAY_MS',
    replace: 'now - (tipContactDays + 1) * DAY_MS',
  }),
  noticedBy('api/desk/merge.test.ts', 'a merge loses the sources of the merged incident', {
    file: 'src/desk/merge.ts',
    find: '    sources.push(source)\n',
    replace: '',
  }),
  noticedBy('api/desk/merge.test.ts', 'a merged incident stays in the copies of the feed', {
    file: 'src/desk/merge.ts',
    find: "const event = isPublic ? 'incident.retracted' : null\n  return decidedChange('merge'",
    replace: "const event = isPublic ? 'incident.updated' : null\n  return decidedChange('merge'",
  }),
  noticedBy('pages/alerts.test.ts', 'one click ends only the first alert of a mail', {
    file: 'src/pages/alert-link-page.ts',
    find: 'for (const { watch } of links) {',
    replace: 'for (const { watch } of links.slice(0, 1)) {',
  }),
  noticedBy('pages/alerts.test.ts', 'the link of an earlier mail ends alerts of another address', {
    file: 'src/pages/alert-link-page.ts',
    find: 'target !== null && isSame(target.key, link.key) ?',
    replace: 'target !== null && isSame(link.key, link.key) ?',
  }),
]
