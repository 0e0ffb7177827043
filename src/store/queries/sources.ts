import {
  NEVER_POLLED,
  type NewsItem,
  type NewsSource,
  type PollState,
  type ProposedSource,
  type UnplacedStory,
} from '../../domain/sources.ts'
import type { DueSource, ItemWrite, KnownItem, PublisherEntry, Publishers, SimilarItem, Sources } from '../store.ts'
import {
  among,
  BY_BYTES,
  bigint,
  FOR_SHARE,
  FOR_UPDATE_SKIP_LOCKED,
  insertedRows,
  isFalse,
  jsonList,
  plain,
  shared,
  text,
} from './dialect.ts'
import { begin, first, onPostgres, type QueriesOf, type Query, rows, run, sql } from './query.ts'
import { savePlan } from './save-incidents.ts'
import type { WritePlan } from './write-plan.ts'

const DAY_MS = 86_400_000

const DUE_SOURCE = shared(
  `id, kind, url, publisher, every_minutes AS "everyMinutes", paused, created_at AS "createdAt", due_at AS "dueAt",
   polling`,
)
const SOURCE = shared(
  `${DUE_SOURCE.form.sqlite}, items, queued, proposed,
   (SELECT count(*)
    FROM source_items
    JOIN source_item_incidents ON item_id = source_items.id AND role = 'report'
    JOIN incidents ON incidents.id = incident_id AND incidents.status = 'confirmed'
    WHERE source_id = sources.id) AS confirmed`,
)

type DueSourceRow = Omit<DueSource, 'paused' | 'polling'> & {
  /** A number in SQLite. */
  readonly paused: boolean | number
  readonly polling: string
}

function dueSourceOf(row: DueSourceRow): DueSource {
  return { ...row, ...pollStateOf(row) }
}

function pollStateOf({ paused, polling }: Pick<DueSourceRow, 'paused' | 'polling'>) {
  return { paused: Boolean(paused), polling: { ...NEVER_POLLED, ...(JSON.parse(polling) as Partial<PollState>) } }
}

function sourceOf({ items, queued, proposed, confirmed, ...row }: DueSourceRow & NewsSource['counts']): NewsSource {
  return { ...dueSourceOf(row), counts: { items, queued, proposed, confirmed } }
}

const sourceList = {
  *add(source, max) {
    const { id, kind, url, urlKey, publisher, everyMinutes, paused, createdAt, dueAt } = source
    yield* begin()
    yield* lockSources()
    if (yield* isTaken(urlKey, id)) return 'taken'
    const all = yield* first<{ count: number }>(sql`SELECT count(*) AS count FROM sources`)
    if (all!.count >= max) return 'full'
    yield* run(
      sql`INSERT INTO sources (id, kind, url, url_key, publisher, every_minutes, paused, created_at, due_at, polling)
          VALUES (${id}, ${kind}, ${url}, ${urlKey}, ${publisher}, ${everyMinutes}, ${paused}, ${createdAt}, ${dueAt},
                  ${JSON.stringify(NEVER_POLLED)})`,
    )
    return (yield* findSource(id))!
  },

  find: (id) => findSource(id),

  *list() {
    const found = yield* rows<Parameters<typeof sourceOf>[0]>(sql`SELECT ${SOURCE} FROM sources ORDER BY publisher, id`)
    return found.map(sourceOf)
  },

  *pollStates() {
    return (yield* rows<DueSourceRow>(sql`SELECT paused, polling FROM sources`)).map(pollStateOf)
  },

  *change(id, { url = null, urlKey = null, publisher = null, everyMinutes = null, dueAt = null, paused, polling }) {
    yield* begin()
    yield* lockSources()
    if (urlKey !== null && (yield* isTaken(urlKey, id))) return 'taken'
    yield* run(
      sql`UPDATE sources
          SET url = coalesce(${url}, url), url_key = coalesce(${urlKey}, url_key),
              publisher = coalesce(${publisher}, publisher), every_minutes = coalesce(${everyMinutes}, every_minutes),
              paused = coalesce(${paused ?? null}, paused), due_at = coalesce(${dueAt}, due_at),
              polling = coalesce(${polling === undefined ? null : JSON.stringify(polling)}, polling)
          WHERE id = ${id}`,
    )
    return yield* findSource(id)
  },

  *remove(id) {
    yield* begin()
    const copied = yield* rows<{ id: string }>(
      sql`SELECT DISTINCT duplicate_of AS id FROM source_items
          WHERE duplicate_of IN (SELECT id FROM source_items WHERE source_id = ${id})`,
    )
    yield* eraseStories(copied.map((each) => each.id))
    return (yield* run(sql`DELETE FROM sources WHERE id = ${id}`)) > 0
  },

  *lease(owner, now, until) {
    const leased = yield* run(
      sql`UPDATE source_poller SET owner = ${owner}, lease_until = ${until}
          WHERE owner IS NULL OR owner = ${owner} OR lease_until <= ${now}`,
    )
    return leased > 0
  },

  *release(owner) {
    yield* run(sql`UPDATE source_poller SET owner = NULL WHERE owner = ${owner}`)
  },

  *due(now, limit) {
    const found = yield* rows<DueSourceRow>(
      sql`SELECT ${DUE_SOURCE} FROM sources WHERE ${NOT_PAUSED} AND due_at <= ${now}
          ORDER BY due_at, id LIMIT ${plain(limit)}`,
    )
    return found.map(dueSourceOf)
  },

  *recordPoll({ sourceId, url, polling, dueAt }) {
    yield* run(
      sql`UPDATE sources SET polling = ${JSON.stringify(polling)}, due_at = ${dueAt}
          WHERE id = ${sourceId} AND url = ${url}`,
    )
  },
} satisfies Partial<QueriesOf<Sources>>

const NOT_PAUSED = isFalse('paused')

/**
 * One at a time adds or moves a source, so that addresses and their number are checked in order.
 */
function lockSources(): Query<void> {
  return onPostgres(sql`LOCK TABLE sources IN SHARE ROW EXCLUSIVE MODE`)
}

function* isTaken(urlKey: string, exceptId: string): Query<boolean> {
  return (yield* rows(sql`SELECT 1 FROM sources WHERE url_key = ${urlKey} AND id <> ${exceptId}`)).length > 0
}

function* findSource(id: string): Query<NewsSource | null> {
  const row = yield* first<Parameters<typeof sourceOf>[0]>(sql`SELECT ${SOURCE} FROM sources WHERE id = ${id}`)
  return row === undefined ? null : sourceOf(row)
}

const INCIDENTS = jsonList('DISTINCT incident_id')

/** Rows have the ids as a JSON list. */
type WithIncidentList<Item extends { readonly incidentIds: readonly string[] }> = Omit<Item, 'incidentIds'> & {
  readonly incidents: string | null
}

function withIncidentIds<Row extends { readonly incidents: string | null }>({ incidents, ...row }: Row) {
  return { ...row, incidentIds: (JSON.parse(incidents ?? '[]') as string[]).sort() }
}

const items = {
  *knownItems(ids, now) {
    yield* begin()
    yield* run(
      sql`UPDATE source_items SET last_seen_at = ${now} WHERE id ${among(ids)} AND last_seen_at < ${now - DAY_MS}`,
    )
    return yield* rows<KnownItem>(
      sql`SELECT id, title, url, url_key AS "urlKey" FROM source_items WHERE id ${among(ids)}`,
    )
  },

  *findItemByUrl(urlKey) {
    const row = yield* first<{ id: string }>(
      sql`SELECT id FROM source_items WHERE url_key = ${urlKey} ORDER BY first_seen_at, id LIMIT 1`,
    )
    return row?.id ?? null
  },

  similarItems: (bands, since, limit) =>
    rows<SimilarItem>(
      sql`SELECT id, fingerprint, gist FROM source_items
          WHERE id IN (SELECT item_id FROM source_item_bands WHERE band ${among(bands)}) AND first_seen_at > ${since}
          ORDER BY first_seen_at DESC, id DESC LIMIT ${plain(limit)}`,
    ),

  *saveItem(owner: string, write: ItemWrite, plan: WritePlan): Query<boolean> {
    const { item, urlKey, fingerprint, gist } = write
    yield* begin()
    // Locked until the commit: nobody takes the lease meanwhile.
    const holders = yield* rows(sql`SELECT 1 FROM source_poller WHERE owner = ${owner} ${FOR_SHARE}`)
    if (holders.length === 0) return false
    const added = yield* run(
      sql`INSERT INTO source_items (id, source_id, state, title, url, url_key, published_at, first_seen_at,
                                    last_seen_at, fingerprint, gist, duplicate_of)
          VALUES (${item.id}, ${item.sourceId}, ${item.state}, ${item.title}, ${item.url}, ${urlKey},
                  ${item.publishedAt}, ${item.firstSeenAt}, ${item.firstSeenAt}, ${fingerprint}, ${gist},
                  ${item.duplicateOf})
          ON CONFLICT DO NOTHING`,
    )
    if (added === 0) return false
    yield* savePlan(plan)
    yield* addParts(write)
    return true
  },

  *listItems(sourceId, state, before, limit) {
    const { firstSeenAt = null, id = null } = before ?? {}
    const found = yield* rows<WithIncidentList<NewsItem>>(
      sql`SELECT id, source_id AS "sourceId", state, title, url, published_at AS "publishedAt",
                 first_seen_at AS "firstSeenAt", duplicate_of AS "duplicateOf",
                 (SELECT ${INCIDENTS} FROM source_item_incidents WHERE item_id = source_items.id) AS incidents
          FROM source_items
          WHERE source_id = ${sourceId} AND (${text(state)} IS NULL OR state = ${state})
            AND (${text(id)} IS NULL OR (first_seen_at, id) < (${bigint(firstSeenAt)}, ${text(id)}))
          ORDER BY first_seen_at DESC, id DESC LIMIT ${plain(limit)}`,
    )
    return found.map(withIncidentIds)
  },

  *deleteExpired(time, limit) {
    yield* begin()
    const expired = yield* rows<{ id: string }>(
      sql`SELECT id FROM source_items
          WHERE last_seen_at < ${time}
            AND NOT EXISTS (SELECT 1 FROM proposed_sources WHERE item_id = source_items.id AND state = 'open')
          LIMIT ${plain(limit)} ${FOR_UPDATE_SKIP_LOCKED}`,
    )
    const ids = expired.map(({ id }) => id)
    yield* run(sql`DELETE FROM proposed_sources WHERE item_id ${among(ids)}`)
    yield* eraseStories(ids)
    yield* run(sql`DELETE FROM source_items WHERE id ${among(ids)}`)
    return ids.length
  },
} satisfies Partial<Omit<QueriesOf<Sources>, 'saveItem'>> & { saveItem: unknown }

const BANDS = insertedRows({ band: 'bigint', item_id: 'text' })
const ITEM_INCIDENTS = insertedRows({ incident_id: 'text', item_id: 'text', role: 'text' })

/** Runs within the caller's transaction. */
function* addParts({ item, bands, reports, proposals, unplaced }: ItemWrite): Query<void> {
  yield* run(sql`INSERT INTO source_item_bands (band, item_id) ${BANDS(bands.map((band) => [band, item.id]))}`)
  const proposedTo = new Set(proposals.map(({ incidentId }) => incidentId))
  yield* addIncidents([
    ...reports.map(({ incident }) => [incident.id, item.id, 'report']),
    ...Array.from(proposedTo, (incidentId) => [incidentId, item.id, 'proposal']),
  ])
  for (const { id, incidentId, itemId, state, proposedAt, decidedAt, score, reasons, report } of proposals)
    yield* run(
      sql`INSERT INTO proposed_sources (id, incident_id, item_id, state, proposed_at, decided_at, score, content)
          VALUES (${id}, ${incidentId}, ${itemId}, ${state}, ${proposedAt}, ${decidedAt}, ${score},
                  ${JSON.stringify({ reasons, report })})`,
    )
  if (unplaced !== null)
    yield* run(
      sql`INSERT INTO unplaced_stories (item_id, publisher, text, found_at)
          VALUES (${item.id}, ${unplaced.publisher}, ${unplaced.text}, ${item.firstSeenAt})`,
    )
  yield* run(
    sql`UPDATE sources SET items = items + 1, queued = queued + ${reports.length},
          proposed = proposed + ${proposals.length}
        WHERE id = ${item.sourceId}`,
  )
}

/** Leaves those that the item has. */
function addIncidents(given: readonly string[][]): Query<number> {
  return run(
    sql`INSERT INTO source_item_incidents (incident_id, item_id, role) ${ITEM_INCIDENTS(given)} ON CONFLICT DO NOTHING`,
  )
}

const PROPOSAL = shared(
  `id, incident_id AS "incidentId", item_id AS "itemId", state, proposed_at AS "proposedAt",
   decided_at AS "decidedAt", score, content`,
)

type ProposalRow = Omit<ProposedSource, 'reasons' | 'report'> & { readonly content: string }

function proposalOf({ content, ...row }: ProposalRow): ProposedSource {
  return { ...row, ...(JSON.parse(content) as Pick<ProposedSource, 'reasons' | 'report'>) }
}

const proposals = {
  *findProposal(id) {
    const row = yield* first<ProposalRow>(sql`SELECT ${PROPOSAL} FROM proposed_sources WHERE id = ${id}`)
    return row === undefined ? null : proposalOf(row)
  },

  *proposalsFor(incidentId) {
    const found = yield* rows<ProposalRow>(
      sql`SELECT ${PROPOSAL} FROM proposed_sources WHERE incident_id = ${incidentId} ORDER BY proposed_at, id`,
    )
    return found.map(proposalOf)
  },

  *openProposals(before, limit) {
    const { proposedAt = null, id = null } = before ?? {}
    const found = yield* rows<ProposalRow>(
      sql`SELECT ${PROPOSAL} FROM proposed_sources
          WHERE state = 'open' AND (${text(id)} IS NULL OR (proposed_at, id) < (${bigint(proposedAt)}, ${text(id)}))
          ORDER BY proposed_at DESC, id DESC LIMIT ${plain(limit)}`,
    )
    return found.map(proposalOf)
  },

  *openStories(before, limit) {
    const { foundAt = null, id = null } = before ?? {}
    const found = yield* rows<WithIncidentList<UnplacedStory>>(
      sql`SELECT source_items.id, source_id AS "sourceId", unplaced_stories.publisher, title, url, text,
                 published_at AS "publishedAt", found_at AS "foundAt",
                 (SELECT ${INCIDENTS} FROM source_item_incidents WHERE item_id = source_items.id) AS incidents
          FROM unplaced_stories JOIN source_items ON source_items.id = item_id
          WHERE ${text(id)} IS NULL OR (found_at, item_id) < (${bigint(foundAt)}, ${text(id)})
          ORDER BY found_at DESC, item_id DESC LIMIT ${plain(limit)}`,
    )
    return found.map(withIncidentIds)
  },

  *closeStory(id, incidentIds) {
    yield* begin()
    if ((yield* run(sql`DELETE FROM unplaced_stories WHERE item_id = ${id}`)) === 0) return false
    if (incidentIds.length === 0) return true
    yield* addIncidents(incidentIds.map((incidentId) => [incidentId, id, 'report']))
    yield* run(
      sql`UPDATE sources SET queued = queued + ${incidentIds.length}
          WHERE id = (SELECT source_id FROM source_items WHERE id = ${id})`,
    )
    yield* run(sql`UPDATE source_items SET state = 'queued' WHERE id = ${id}`)
    return true
  },
} satisfies Partial<QueriesOf<Sources>>

export const sources = { ...sourceList, ...items, ...proposals }

/** Forgets stories about redacted incidents and their copies, within the caller's transaction. */
export function* forgetStories(incidentIds: readonly string[]): Query<void> {
  yield* run(sql`DELETE FROM proposed_sources WHERE incident_id ${among(incidentIds)}`)
  yield* run(
    sql`DELETE FROM unplaced_stories
        WHERE item_id IN (SELECT item_id FROM source_item_incidents WHERE incident_id ${among(incidentIds)})`,
  )
  const told = yield* rows<{ id: string }>(
    sql`SELECT item_id AS id FROM source_item_incidents WHERE incident_id ${among(incidentIds)}`,
  )
  yield* eraseStories(told.map(({ id }) => id))
}

/** With their copies, and the copies of these: nothing else leads from an incident to them. */
function* eraseStories(ids: readonly string[]): Query<void> {
  yield* run(
    sql`WITH RECURSIVE stories (id) AS (
          SELECT id FROM source_items WHERE id ${among(ids)}
          UNION SELECT copies.id FROM stories JOIN source_items AS copies ON copies.duplicate_of = stories.id
        )
        UPDATE source_items SET title = '', url = NULL WHERE id IN (SELECT id FROM stories)`,
  )
}

export const publishers = {
  list: () =>
    rows<PublisherEntry>(
      sql`SELECT key, name, kind, updated_at AS "updatedAt" FROM publishers ORDER BY name ${BY_BYTES}, key`,
    ),

  *set({ key, name, kind, updatedAt }) {
    yield* run(
      sql`INSERT INTO publishers (key, name, kind, updated_at) VALUES (${key}, ${name}, ${kind}, ${updatedAt})
          ON CONFLICT (key) DO UPDATE SET name = excluded.name, kind = excluded.kind, updated_at = excluded.updated_at`,
    )
  },

  *remove(key) {
    return (yield* run(sql`DELETE FROM publishers WHERE key = ${key}`)) > 0
  },
} satisfies QueriesOf<Publishers>
