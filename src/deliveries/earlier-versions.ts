import type { Incident } from '../domain/incident.ts'
import { type IndexedFields, indexedFieldsOf } from '../filter/filter.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import type { Deliveries, EventLog, Incidents, LogEvent } from '../store/store.ts'
import type { WatchIndex } from './watch-index.ts'

/** Most incidents have one or two; of one that is corrected often, the rest is remembered. */
const FIRST_PAGE = 2
const PAGE = 50
/** Versions that are remembered, of all incidents together: about 300 bytes each. */
const MAX_REMEMBERED = 20_000

type Versions = Pick<EventLog, 'versionsBefore'>

/** Yields what filters look at, of each version before the event, newest first. */
export async function* earlierFields(event: Pick<LogEvent, 'incidentId' | 'seq'>, log: Versions) {
  for await (const { fields } of earlierVersions(event, log)) yield fields
}

interface EarlierVersion {
  readonly seq: number
  readonly fields: IndexedFields
}

async function* earlierVersions(
  { incidentId, seq }: Pick<LogEvent, 'incidentId' | 'seq'>,
  log: Versions,
): AsyncGenerator<EarlierVersion> {
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
 * Says what filters may have matched before an event: whoever was told of any version is told of
 * its correction. Remembers the versions, so that the hundredth correction of an incident does not
 * read a hundred documents.
 */
export class EarlierVersions {
  readonly #log: Versions
  readonly #known = new BoundedCache<string, KnownVersions>(MAX_REMEMBERED, ({ fields }) => fields.size)

  constructor(log: Versions) {
    this.#log = log
  }

  /** Returns each earlier version that differs from the event's own, of which `fields` are. */
  async fieldsBefore(event: Pick<LogEvent, 'incidentId' | 'seq'>, fields: IndexedFields): Promise<IndexedFields[]> {
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

/** Where merges are recorded. */
export interface MergeSources {
  readonly incidents: Pick<Incidents, 'history' | 'current'>
  readonly events: Pick<EventLog, 'ofIncident'>
}

/** An id by which an incident is followed, from the event with this `seq` on. */
export interface FollowedId {
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

/** Of an incident with more, the watches that told only of the first ones are not found. */
const MAX_EVENTS = 100
/**
 * A change does not see events that others are about to commit, and these may be matched before it
 * is.
 */
const UNSEEN_EVENTS = 10_000
/**
 * Deliveries are kept for 30 days after their end, which retries and pauses may delay: older events
 * have none.
 */
const OLDEST_MS = 90 * 86_400_000
/** Watches in one query: others wait for the database meanwhile. */
const BATCH = 1000

export interface ToldSources {
  readonly events: Pick<EventLog, 'ofIncident'>
  readonly deliveries: Pick<Deliveries, 'told'>
}

/**
 * Returns the watches that told of the incident before the event by a filter that they no longer
 * have: a correction reaches whoever was told. Usually no filter was changed since the incident,
 * and the deliveries are not asked.
 */
export async function toldByEarlierFilter(
  { incidentId, seq, kind, at }: Pick<LogEvent, 'incidentId' | 'seq' | 'kind' | 'at'>,
  index: Pick<WatchIndex, 'hasChangedFilters' | 'changedSince'>,
  { events, deliveries }: ToldSources,
): Promise<string[]> {
  if (kind === 'incident.created' || !index.hasChangedFilters) return []
  const earlier = (await events.ofIncident(incidentId, MAX_EVENTS))
    .filter((each) => each.seq < seq && each.at > at - OLDEST_MS)
    .map((each) => each.seq)
  const first = earlier.at(-1)
  if (first === undefined) return []
  const changed = index.changedSince(first - UNSEEN_EVENTS)
  const told: string[] = []
  for (let from = 0; from < changed.length; from += BATCH)
    told.push(...(await deliveries.told(earlier, changed.slice(from, from + BATCH))))
  return told
}
