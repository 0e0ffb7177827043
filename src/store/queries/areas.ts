import { packPositions, positionsFrom, type Site } from '../../domain/sites.ts'
import type { Areas, SiteLists, SiteName, SitePositions, UsedArea, UsedSiteList, UsingWatch } from '../store.ts'
import { among, FOR_SHARE, plain, shared, text } from './dialect.ts'
import { lockAccount, lockWatchHead, requireOpen } from './heads.ts'
import { begin, checkText, Fragment, first, type QueriesOf, type Query, rows, run, sql } from './query.ts'
import { replaceShape, replaceSiteList } from './watch-filters.ts'

// Saved areas and lists of sites. A change locks the account before the watches' head, as where an
// account is blocked.

/** The number of watches that an error names which keep an area or a list from being removed. */
const NAMED_WATCHES = 5

interface Counted {
  readonly held: number
  readonly taken: number
}

const AREA = shared(
  `id, account_id AS "accountId", name, shape, created_at AS "createdAt", updated_at AS "updatedAt",
   (SELECT count(*) FROM watch_areas WHERE area_id = areas.id) AS watches`,
)

export const areas = {
  *add({ id, accountId, name, shape, createdAt, updatedAt }, max) {
    yield* begin()
    yield* lockAccount(accountId)
    yield* requireOpen(accountId)
    const counted = yield* first<Counted>(
      sql`SELECT count(*) AS held, count(*) FILTER (WHERE name = ${name}) AS taken
          FROM areas WHERE account_id = ${accountId}`,
    )
    if (counted!.taken > 0) return 'name_taken'
    if (counted!.held >= max) return 'too_many'
    yield* run(
      sql`INSERT INTO areas (id, account_id, name, shape, created_at, updated_at)
          VALUES (${id}, ${accountId}, ${name}, ${shape}, ${createdAt}, ${updatedAt})`,
    )
    return true
  },

  find: (accountId, id) => findArea(accountId, id),

  list: (accountId, limit, before) =>
    rows<UsedArea>(
      sql`SELECT ${AREA} FROM areas WHERE account_id = ${accountId} AND (${text(before)} IS NULL OR id < ${before})
          ORDER BY id DESC
          LIMIT ${plain(limit)}`,
    ),

  *count(accountId) {
    const row = yield* first<{ areas: number }>(
      sql`SELECT count(*) AS areas FROM areas WHERE account_id = ${accountId}`,
    )
    return row!.areas
  },

  *change(accountId, id, patch, now) {
    yield* begin()
    yield* lockAccount(accountId)
    yield* lockWatchHead()
    const area = yield* findArea(accountId, id)
    if (area === null) return null
    const changed = { ...area, ...patch, updatedAt: now }
    const namesakes = yield* rows(
      sql`SELECT 1 FROM areas WHERE account_id = ${accountId} AND name = ${changed.name} AND id <> ${id}`,
    )
    if (namesakes.length > 0) return 'name_taken'
    yield* run(
      sql`UPDATE areas SET name = ${changed.name}, shape = ${changed.shape}, updated_at = ${now} WHERE id = ${id}`,
    )
    if (changed.shape !== area.shape) yield* replaceShape(id, changed.shape)
    return changed
  },

  *remove(accountId, id) {
    yield* begin()
    yield* lockWatchHead()
    if ((yield* findArea(accountId, id)) === null) return null
    const using = yield* rows<UsingWatch>(
      sql`SELECT watches.id, watches.name
          FROM watch_areas JOIN watches ON watches.id = watch_areas.watch_id
          WHERE watch_areas.area_id = ${id} ORDER BY watches.id LIMIT ${plain(NAMED_WATCHES)}`,
    )
    if (using.length === 0) yield* run(sql`DELETE FROM areas WHERE id = ${id}`)
    return using
  },
} satisfies QueriesOf<Areas>

function* findArea(accountId: string, id: string): Query<UsedArea | null> {
  const area = yield* first<UsedArea>(sql`SELECT ${AREA} FROM areas WHERE account_id = ${accountId} AND id = ${id}`)
  return area ?? null
}

/** Without the positions, which are read only where they are needed. */
const SITE_LIST = shared(
  `id, account_id AS "accountId", name, size, version, created_at AS "createdAt", updated_at AS "updatedAt",
   (SELECT count(*) FROM watch_site_lists WHERE list_id = site_lists.id) AS watches`,
)

export const siteLists = {
  *add(list, sites, max) {
    const { id, accountId, name, size, version, createdAt, updatedAt } = list
    yield* begin()
    yield* lockAccount(accountId)
    yield* requireOpen(accountId)
    const counted = yield* first<Counted>(
      sql`SELECT count(*) AS held, count(*) FILTER (WHERE name = ${name}) AS taken
          FROM site_lists WHERE account_id = ${accountId}`,
    )
    if (counted!.taken > 0) return 'name_taken'
    if (counted!.held >= max) return 'too_many'
    yield* run(
      sql`INSERT INTO site_lists (id, account_id, name, size, version, created_at, updated_at, positions)
          VALUES (${id}, ${accountId}, ${name}, ${size}, ${version}, ${createdAt}, ${updatedAt},
                  ${packPositions(sites)})`,
    )
    yield* insertNames(id, sites)
    return true
  },

  find: (accountId, id) => findList(accountId, id),

  list: (accountId, limit, before) =>
    rows<UsedSiteList>(
      sql`SELECT ${SITE_LIST} FROM site_lists
          WHERE account_id = ${accountId} AND (${text(before)} IS NULL OR id < ${before})
          ORDER BY id DESC
          LIMIT ${plain(limit)}`,
    ),

  *count(accountId) {
    const row = yield* first<{ lists: number }>(
      sql`SELECT count(*) AS lists FROM site_lists WHERE account_id = ${accountId}`,
    )
    return row!.lists
  },

  *positions(accountId, id) {
    const row = yield* first<SitePositions>(
      sql`SELECT id, name, version, positions FROM site_lists WHERE account_id = ${accountId} AND id = ${id}`,
    )
    return row ?? null
  },

  *version(accountId, id) {
    const row = yield* first<{ version: number }>(
      sql`SELECT version FROM site_lists WHERE account_id = ${accountId} AND id = ${id}`,
    )
    return row?.version ?? null
  },

  *page(accountId, id, from, limit) {
    yield* begin()
    // Positions and names must be of one version, whoever replaces them meanwhile.
    const row = yield* first<UsedSiteList & { positions: Uint8Array }>(
      sql`SELECT ${SITE_LIST}, positions FROM site_lists WHERE account_id = ${accountId} AND id = ${id} ${FOR_SHARE}`,
    )
    if (row === undefined) return null
    const names = yield* rows<SiteName>(
      sql`SELECT number, name, reference FROM sites WHERE list_id = ${id} AND number >= ${from}
          ORDER BY number LIMIT ${plain(limit)}`,
    )
    const { positions, ...list } = row
    const places = positionsFrom(positions, from, names.length)
    return { list, sites: names.map(({ name, reference }, at) => ({ name, ...places[at]!, reference })) }
  },

  names: (id, version, numbers) =>
    rows<SiteName>(
      sql`SELECT sites.number, sites.name, sites.reference
          FROM site_lists JOIN sites ON sites.list_id = site_lists.id
          WHERE site_lists.id = ${id} AND site_lists.version = ${version} AND sites.number ${among(numbers)}`,
    ),

  *change(accountId, id, { name, sites }, now) {
    yield* begin()
    yield* lockAccount(accountId)
    yield* lockWatchHead()
    const list = yield* findList(accountId, id)
    if (list === null) return null
    const namesakes = yield* rows(
      sql`SELECT 1 FROM site_lists WHERE account_id = ${accountId} AND name = ${name} AND id <> ${id}`,
    )
    if (namesakes.length > 0) return 'name_taken'
    const version = list.version + 1
    yield* run(
      sql`UPDATE site_lists SET name = ${name}, size = ${sites.length}, version = ${version},
            positions = ${packPositions(sites)}, updated_at = ${now}
          WHERE id = ${id}`,
    )
    yield* run(sql`DELETE FROM sites WHERE list_id = ${id}`)
    yield* insertNames(id, sites)
    yield* replaceSiteList(id, version)
    return { ...list, name, size: sites.length, version, updatedAt: now }
  },

  *remove(accountId, id) {
    yield* begin()
    yield* lockWatchHead()
    if ((yield* findList(accountId, id)) === null) return null
    const using = yield* rows<UsingWatch>(
      sql`SELECT watches.id, watches.name
          FROM watch_site_lists JOIN watches ON watches.id = watch_site_lists.watch_id
          WHERE watch_site_lists.list_id = ${id} ORDER BY watches.id LIMIT ${plain(NAMED_WATCHES)}`,
    )
    if (using.length === 0) yield* run(sql`DELETE FROM site_lists WHERE id = ${id}`)
    return using
  },
} satisfies QueriesOf<SiteLists>

function* findList(accountId: string, id: string): Query<UsedSiteList | null> {
  const list = yield* first<UsedSiteList>(
    sql`SELECT ${SITE_LIST} FROM site_lists WHERE account_id = ${accountId} AND id = ${id}`,
  )
  return list ?? null
}

const GIVEN_PAIRS = {
  sqlite: 'json_each(?) AS given',
  postgres: `(SELECT place - 1 AS key, pair AS value
              FROM json_array_elements(?::json) WITH ORDINALITY AS each (pair, place)) AS given`,
}

/** In one statement: ten thousand would take three times as long. */
function* insertNames(id: string, sites: readonly Site[]): Query<void> {
  for (const { name, reference } of sites) checkText(`${name} ${reference ?? ''}`)
  const pairs = JSON.stringify(sites.map(({ name, reference }) => [name, reference]))
  yield* run(
    sql`INSERT INTO sites (list_id, number, name, reference)
        SELECT ${text(id)}, key, value ->> 0, value ->> 1 FROM ${new Fragment(GIVEN_PAIRS, pairs)}`,
  )
}
