import { MAX_WATCHES_PER_AREA, withAreaShape } from '../../domain/area.ts'
import { MAX_WATCHES_PER_SITE_LIST, withSiteList } from '../../domain/sites.ts'
import type { Watch, WatchFilter } from '../../domain/watch.ts'
import type { FilterRefusal } from '../store.ts'
import { among, eachRow } from './dialect.ts'
import { logHead, nextWatchRevision } from './heads.ts'
import { first, type Query, rows, run, sql } from './query.ts'

// The filters of watches hold the shape of a saved area and the version of a list of sites. All of
// these run within a transaction that holds the lock of the watches' head.

/** Returns the filter with what it names of what its account has saved. */
export function* filterWithSaved(
  { id, accountId }: Pick<Watch, 'id' | 'accountId'>,
  filter: WatchFilter,
): Query<WatchFilter | FilterRefusal> {
  let { canonical } = filter
  if (filter.areaId !== undefined) {
    const area = yield* first<{ shape: string; others: number }>(
      sql`SELECT shape, (SELECT count(*) FROM watch_areas WHERE area_id = areas.id AND watch_id <> ${id}) AS others
          FROM areas WHERE account_id = ${accountId} AND id = ${filter.areaId}`,
    )
    if (area === undefined) return 'unknown_area'
    if (area.others >= MAX_WATCHES_PER_AREA) return 'area_full'
    canonical = withAreaShape(canonical, area.shape)
  }
  if (filter.siteListId !== undefined) {
    const list = yield* first<{ version: number; others: number }>(
      sql`SELECT version,
                 (SELECT count(*) FROM watch_site_lists WHERE list_id = site_lists.id AND watch_id <> ${id}) AS others
          FROM site_lists WHERE account_id = ${accountId} AND id = ${filter.siteListId}`,
    )
    if (list === undefined) return 'unknown_sites'
    if (list.others >= MAX_WATCHES_PER_SITE_LIST) return 'sites_full'
    canonical = withSiteList(canonical, filter.siteListId, list.version)
  }
  return canonical === filter.canonical ? filter : { ...filter, canonical }
}

/** Records which area and list of sites the filter of the watch uses, if any. */
export function* linkSaved(watchId: string, { areaId, siteListId }: WatchFilter): Query<void> {
  yield* run(sql`DELETE FROM watch_areas WHERE watch_id = ${watchId}`)
  if (areaId !== undefined) yield* run(sql`INSERT INTO watch_areas (watch_id, area_id) VALUES (${watchId}, ${areaId})`)
  yield* run(sql`DELETE FROM watch_site_lists WHERE watch_id = ${watchId}`)
  if (siteListId !== undefined)
    yield* run(sql`INSERT INTO watch_site_lists (watch_id, list_id) VALUES (${watchId}, ${siteListId})`)
}

interface FilterOfWatch {
  readonly id: string
  readonly canonical: string
}

/** Puts a new shape into the filters of all watches that use the area. */
export function* replaceShape(areaId: string, shape: string): Query<void> {
  const using = yield* rows<FilterOfWatch>(
    sql`SELECT watches.id, watches.canonical_filter AS canonical
        FROM watch_areas JOIN watches ON watches.id = watch_areas.watch_id
        WHERE watch_areas.area_id = ${areaId} ORDER BY watches.id`,
  )
  yield* replaceFilters(using, (canonical) => withAreaShape(canonical, shape))
}

/** Puts a new version into the filters of all watches that use the list. */
export function* replaceSiteList(listId: string, version: number): Query<void> {
  const using = yield* rows<FilterOfWatch>(
    sql`SELECT watches.id, watches.canonical_filter AS canonical
        FROM watch_site_lists JOIN watches ON watches.id = watch_site_lists.watch_id
        WHERE watch_site_lists.list_id = ${listId} ORDER BY watches.id`,
  )
  yield* replaceFilters(using, (canonical) => withSiteList(canonical, listId, version))
}

const FILTERS = eachRow('next', { id: 'text', canonical: 'text', revision: 'bigint' })

function* replaceFilters(filters: readonly FilterOfWatch[], replaced: (canonical: string) => string): Query<void> {
  if (filters.length === 0) return
  const last = yield* nextWatchRevision(filters.length)
  const first = last - filters.length + 1
  const next = filters.map(({ id, canonical }, index) => [id, replaced(canonical), first + index])
  yield* run(
    sql`UPDATE watches SET canonical_filter = ${FILTERS.canonical}, revision = ${FILTERS.revision}
        ${FILTERS.from(next)} WHERE watches.id = ${FILTERS.id}`,
  )
  yield* noteChangedFilters(filters.map(({ id }) => id))
}

/** From which event on the watches have another filter. */
export function* noteChangedFilters(ids: readonly string[]): Query<void> {
  const { seq } = yield* logHead()
  yield* run(sql`UPDATE watches SET filter_seq = ${seq} WHERE id ${among(ids)}`)
}
