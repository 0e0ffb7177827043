import type { Delivery } from '../domain/delivery.ts'
import type { Incident } from '../domain/incident.ts'
import type { Watch } from '../domain/watch.ts'
import { type IndexedFields, indexedFieldsOf, type LiveFilter } from '../filter/filter.ts'
import { follows, matchesLive } from '../filter/matches.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import {
  AT_ANY_TIME,
  type Deliveries,
  type EventLog,
  type Incidents,
  type LogEvent,
  type Store,
} from '../store/store.ts'
import type { WatchIndex } from './watch-index.ts'

/*
 * A correction reaches whoever was told of the incident: by a filter that matched an earlier
 * version, by following an incident that was merged into this one, or by a filter that the watch
 * no longer has.
 */

/** Most incidents have one or two; of one that is corrected often, the rest is remembered. */
const FIRST_PAGE = 2
const PAGE = 50
/** Versions that are remembered, of all incidents together: about 300 bytes each. */
const MAX_REMEMBERED = 20_000

type Versions = Pick<EventLog, 'versionsBefore'>
type EventOfIncident = Pick<LogEvent, 'incidentId' | 'seq'>

/** Yields what filters look at, of each version before the event, newest first. */
export async function* earlierVersions({ incidentId, seq }: EventOfIncident, log: Versions) {
  for (let before = seq, size = FIRST_PAGE; ; size = PAGE) {
    const page = await log.versionsBefore(incidentId, before, size)
    for (const version of page)
      yield { seq: version.seq, fields: indexedFieldsOf(JSON.parse(version.document) as Incident) }
    if (page.length < size) return
    before = page.at(-1)!.seq
  }
}

/** The versions of an incident up to an event, each once by what filters look at. */
interface KnownVersions {
  readonly seq: number
  readonly fields: ReadonlyMap<string, IndexedFields>
}

/**
 * Remembers what filters look at in earlier versions, so that the hundredth correction of an
 * incident does not read a hundred documents.
 */
export class EarlierVersions {
  readonly #log: Versions
  readonly #known = new BoundedCache<string, KnownVersions>(MAX_REMEMBERED, ({ fields }) => fields.size)

  constructor(log: Versions) {
    this.#log = log
  }

  /** Behind an outage, the log may have other events with the same numbers. */
  forget(): void {
    this.#known.clear()
  }

  /** Returns each earlier version that differs from the event's own, of which `fields` are. */
  async fieldsBefore(event: EventOfIncident, fields: IndexedFields): Promise<IndexedFields[]> {
    const { incidentId, seq } = event
    const remembered = this.#known.get(incidentId)
    // After an error the fan-out may go back: what is known of later events does not count then.
    const known = remembered !== undefined && remembered.seq < seq ? remembered : undefined
    const own = JSON.stringify(fields)
    const versions = new Map(known?.fields)
    for await (const earlier of earlierVersions(event, this.#log)) {
      if (known !== undefined && earlier.seq <= known.seq) break
      versions.set(JSON.stringify(earlier.fields), earlier.fields)
    }
    const others = [...versions].filter(([text]) => text !== own).map(([, each]) => each)
    versions.set(own, fields)
    this.#known.set(incidentId, { seq, fields: versions })
    return others
  }
}

/** The records of merges. */
interface MergeSources {
  readonly incidents: Pick<Incidents, 'history' | 'current'>
  readonly events: Pick<EventLog, 'ofIncident'>
}

/** An id by which an incident is followed, from the event with this `seq` on. */
interface FollowedId {
  readonly id: string
  readonly after: number
}

/** Events of a merged incident that are looked through for its merge. */
const MAX_MERGE_EVENTS = 50
/** More are not followed on: hundreds of public incidents are not one. */
const MAX_IDS = 100

/**
 * Returns the ids by which an incident is followed: its own, and those of public incidents that
 * were merged into it, however many merges lie between. A merge that was undone still counts:
 * whoever was told of this incident is told of its corrections.
 */
export async function followedIds(incidentId: string, { incidents, events }: MergeSources): Promise<FollowedId[]> {
  const found = new Map([[incidentId, 0]])
  // A map's iteration visits what is added meanwhile.
  for (const [into, after] of found) {
    if (found.size >= MAX_IDS) break
    const history = await incidents.history(into)
    const absorbed = history.flatMap(({ step, other }) => (step === 'absorb' && other !== null ? [other] : []))
    const unknown = [...new Set(absorbed)].filter((id) => !found.has(id))
    if (unknown.length === 0) continue
    for (const { id, document } of await incidents.current(unknown)) {
      // Most are reports that were never public, and nobody can follow them.
      if ((JSON.parse(document) as Incident).published_at === null) continue
      const merge = (await events.ofIncident(id, MAX_MERGE_EVENTS)).findLast((event) => mergedInto(event) === into)
      if (merge !== undefined) found.set(id, Math.max(after, merge.seq))
    }
  }
  return Array.from(found, ([id, after]) => ({ id, after }))
}

/** Returns the ids by which the incident was followed at an event; a new one has only its own. */
export async function idsOfEvent(
  event: Pick<LogEvent, 'incidentId' | 'kind' | 'seq'>,
  sources: MergeSources,
): Promise<string[]> {
  const { incidentId, kind } = event
  return kind === 'incident.created' ? [incidentId] : idsAt(await followedIds(incidentId, sources), event)
}

/** The ids that counted when the event was written. */
export function idsAt(ids: readonly FollowedId[], { seq }: Pick<LogEvent, 'seq'>): string[] {
  return ids.filter(({ after }) => after < seq).map(({ id }) => id)
}

function mergedInto({ kind, document }: LogEvent): string | null {
  return kind === 'incident.retracted' ? ((JSON.parse(document) as Incident).merged_into ?? null) : null
}

/** Whether a filter told of the event: of a correction also if only an earlier version matched. */
export async function matchesEvent(
  filter: LiveFilter,
  event: LogEvent,
  fields: IndexedFields,
  { events, incidents }: Pick<Store, 'events' | 'incidents'>,
): Promise<boolean> {
  const ids = filter.incidents === null ? [] : await idsOfEvent(event, { events, incidents })
  if (!follows(filter, ids)) return false
  if (matchesLive(filter, fields, ids)) return true
  if (event.kind === 'incident.created') return false
  for await (const earlier of earlierVersions(event, events)) if (matchesLive(filter, earlier.fields, ids)) return true
  return false
}

/** The deliveries of a watch for these events, newest first; those of tests too. */
export async function deliveriesOfEvents(
  deliveries: Pick<Deliveries, 'list'>,
  { accountId, id }: Pick<Watch, 'accountId' | 'id'>,
  events: readonly LogEvent[],
  limit: number,
  afterSeq = 0,
): Promise<Delivery[]> {
  const eventSeqs = events.map(({ seq }) => seq)
  const any = { status: null, kind: null, tests: AT_ANY_TIME, before: null }
  const rows = await deliveries.list(accountId, { ...any, watchIds: [id], eventSeqs, afterSeq, limit })
  return rows.map(({ delivery }) => delivery)
}

/** Of an incident with more, the watches that told only of the first ones are not found. */
const MAX_EVENTS = 100
/** A change does not see events about to be committed, which may be matched before it. */
const UNSEEN_EVENTS = 10_000
/** Deliveries are kept 30 days after their end, which retries and pauses may delay. */
const OLDEST_MS = 90 * 86_400_000
/** Watches in one query: others wait for the database meanwhile. */
const BATCH = 1000

/**
 * Returns the watches that told of the incident before the event by a filter that they no longer
 * have. Usually no filter was changed since the incident, and the deliveries are not asked.
 */
export async function earlierFilterRecipients(
  { incidentId, seq, kind, at }: Pick<LogEvent, 'incidentId' | 'seq' | 'kind' | 'at'>,
  index: Pick<WatchIndex, 'hasChangedFilters' | 'changedSince'>,
  {
    events,
    deliveries,
  }: Pick<MergeSources, 'events'> & { readonly deliveries: Pick<Deliveries, 'findNotifiedWatches'> },
): Promise<string[]> {
  if (kind === 'incident.created' || !index.hasChangedFilters) return []
  const earlier = (await events.ofIncident(incidentId, MAX_EVENTS))
    .filter((each) => each.seq < seq && each.at > at - OLDEST_MS)
    .map((each) => each.seq)
  const first = earlier.at(-1)
  if (first === undefined) return []
  const changed = index.changedSince(first - UNSEEN_EVENTS)
  const notified: string[] = []
  for (let from = 0; from < changed.length; from += BATCH)
    notified.push(...(await deliveries.findNotifiedWatches(earlier, changed.slice(from, from + BATCH))))
  return notified
}
