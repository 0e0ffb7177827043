import { createHash } from 'node:crypto'
import type { Reliability } from '../../domain/confidence.ts'
import { derivedIdentifier } from '../../domain/identifier.ts'
import type { Precision } from '../../domain/incident.ts'
import { type Actor, EMPTY_MODERATION_RECORD } from '../../domain/moderation.ts'
import { type Report, timeFault } from '../../domain/report.ts'
import { bandsOf, canonicalAddress, fingerprintOf, NEAR_IDENTICAL, similarityOf } from '../../domain/same-story.ts'
import type { FeedItem, ItemState, ProposedReport, ProposedSource } from '../../domain/sources.ts'
import type { IncidentCandidate } from '../../domain/story.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import type { Geography } from '../../geo/geography.ts'
import { runInSlices } from '../../lib/concurrency.ts'
import { extractInSteps } from '../../reading/extract.ts'
import type { DueSource, IncidentChange, ItemWrite, KnownItem, Store } from '../../store/store.ts'
import { newHistoryEntry } from '../decision.ts'
import { duplicateCandidates, type FindPublished } from '../duplicates.ts'
import {
  buildIncident,
  type GivenPlace,
  loadReliability,
  type Placement,
  placeReport,
  reportedNow,
} from '../reports/build-incident.ts'

export interface ReadingParts {
  readonly store: Store
  readonly geography: Geography
  readonly findPublished: FindPublished
  /** Tells how old an item is. */
  readonly agingClock: () => number
}

/** An older item was news before the source was added. */
const MAX_AGE_MS = 30 * 86_400_000
/** Two copies of one story appear within this time. */
const COPY_WINDOW_MS = 7 * 86_400_000
const MAX_COPIES = 50
/** From this probability on, a story is proposed for the incident instead of being queued. */
const PROPOSAL_SCORE = 0.7

/** Decides what becomes of an item that is not known. Writes nothing. */
export async function takeItem(
  source: DueSource,
  feed: KnownFeed,
  item: FeedItem,
  parts: ReadingParts,
  now: number,
): Promise<ItemWrite> {
  const { store } = parts
  const id = feed.idOf(item)
  const urlKey = feed.urlKeyOf(item)
  const publishedAt = Math.min(now, item.publishedAt ?? now)
  const agesTo = parts.agingClock()
  const write = (state: ItemState, more: Partial<ItemWrite> & { duplicateOf?: string } = {}): ItemWrite => {
    const { duplicateOf = null, reports = [], proposals = [], unplaced = null, ...rest } = more
    const incidentIds = [...reports.map(({ incident }) => incident.id), ...proposals.map((each) => each.incidentId)]
    const { title, url, publishedAt } = item
    return {
      item: { id, sourceId: source.id, state, title, url, publishedAt, firstSeenAt: now, incidentIds, duplicateOf },
      urlKey,
      ...{ fingerprint: null, bands: [], gist: '', reports, proposals, unplaced, ...rest },
    }
  }
  if (publishedAt < agesTo - MAX_AGE_MS) return write('too_old')
  const sameAddress = urlKey === null ? null : await store.sources.findItemByUrl(urlKey)
  if (sameAddress !== null) return write('duplicate', { duplicateOf: sameAddress })

  const read = { title: item.title, text: item.text, published_at: new Date(publishedAt).toISOString() }
  const candidates = await runInSlices(extractInSteps(read, parts.geography.gazetteer), 'sources')
  const gist = gistOf(candidates)
  const fingerprint = fingerprintOf(`${item.title}\n${item.text}`)
  const bands = fingerprint === null ? [] : bandsOf(fingerprint)
  const text = { gist, bands, fingerprint: fingerprint && Buffer.from(fingerprint.buffer).toString('base64') }
  if (fingerprint !== null) {
    const similar = await store.sources.similarItems(bands, agesTo - COPY_WINDOW_MS, MAX_COPIES)
    // Copies must read the same, too: a template may differ in the place or the number alone.
    const copied = similar.find(
      (each) => each.gist === gist && similarityOf(fingerprintFrom(each.fingerprint), fingerprint) >= NEAR_IDENTICAL,
    )
    if (copied) return write('duplicate', { ...text, duplicateOf: copied.id })
  }
  if (candidates.length === 0) return write('no_incident', text)

  const isOnlyOne = candidates.length === 1
  const { geography } = parts
  const story = { source, id, item, publishedAt, isOnlyOne, geography, reliability: await loadReliability(store), now }
  const told = candidates.flatMap((candidate, index) => reportOf(candidate, index, story) ?? [])
  // Also if only one of its incidents has no place: the others do not tell of it.
  const unplaced = told.length < candidates.length ? { publisher: source.publisher, text: textOf(item) } : null
  if (told.length === 0) return write('no_place', { ...text, unplaced })
  const reports: IncidentChange[] = []
  const proposals: ProposedSource[] = []
  const byFeed: Actor = { key_id: source.id, account_id: null, name: `${source.publisher} (feed)` }
  const found = await duplicateCandidates(
    told.map(({ incident }) => incident),
    parts.findPublished,
    store.incidents,
  )
  for (const report of told) {
    // Other incidents of the same story are no duplicates of it.
    const own = new Set(told.map(({ incident }) => incident.id))
    const [best] = (found.get(report.incident.id) ?? []).filter(
      ({ incident, score }) => !own.has(incident.id) && score >= PROPOSAL_SCORE,
    )
    if (best === undefined) reports.push(queuedReport(report, byFeed, now))
    else if (!hasAddress(best.incident.sources, item.url))
      proposals.push({
        id: derivedIdentifier('proposal', hashOf(`${id} ${report.incident.id}`)),
        incidentId: best.incident.id,
        itemId: id,
        state: 'open',
        proposedAt: now,
        decidedAt: null,
        score: best.score,
        reasons: best.reasons,
        report,
      })
  }
  const state = reports.length > 0 ? 'queued' : proposals.length > 0 ? 'proposed' : 'duplicate'
  return write(state, { ...text, reports, proposals, unplaced })
}

/** A report of the queue; also of a proposal that turned out to be another incident. */
export function queuedReport({ incident, moderation }: ProposedReport, by: Actor, now: number): IncidentChange {
  const historyEntry = newHistoryEntry('report', incident.version, { by, now, note: null })
  return { incident, event: null, replaces: { version: 0 }, moderation, historyEntry }
}

function hashOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}

function fingerprintFrom(base64: string): Uint32Array {
  const bytes = Buffer.from(base64, 'base64')
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

function gistOf(candidates: readonly IncidentCandidate[]): string {
  const gists = candidates.map(({ type, state, lga, occurred_at, casualties: { killed, injured, abducted } }) =>
    [type, state, lga, occurred_at?.slice(0, 10), killed, injured, abducted].join('|'),
  )
  return gists.sort().join(';')
}

function hasAddress(sources: readonly { readonly url: string | null }[], url: string | null): boolean {
  const key = url === null ? null : canonicalAddress(url)
  return key !== null && sources.some((source) => source.url !== null && canonicalAddress(source.url) === key)
}

interface Story {
  readonly source: DueSource
  readonly id: string
  readonly item: FeedItem
  /** The time of publication, not in the future; the time of finding if the feed gives none. */
  readonly publishedAt: number
  readonly isOnlyOne: boolean
  readonly geography: Geography
  readonly reliability: Reliability
  readonly now: number
}

/** Between the title and the text, in the text that the desk shows. */
const SEPARATOR = '\n\n'
const NAMED_PRECISIONS: readonly Precision[] = ['exact', 'settlement']

/** The report of one candidate of a story; null if it has no place. */
function reportOf(candidate: IncidentCandidate, index: number, story: Story): ProposedReport | null {
  const { source, id, item, publishedAt, isOnlyOne, geography, reliability, now } = story
  const placement = placementOf(candidate, geography)
  if (placement === null) return null
  const published_at = new Date(publishedAt).toISOString()
  const told = toldTime(candidate, now)
  const report: Report = {
    severity: null,
    // A story that does not say when was written on the day, or the day after.
    ...(told ?? { occurred_at: published_at, time_precision: 'day' }),
    ...givenPlace(candidate),
    summary: summaryOf(candidate, isOnlyOne, item),
    sources: [{ url: item.url, publisher: source.publisher, published_at, official: false }],
    casualties: candidate.casualties,
  }
  const offset = item.title === '' ? 0 : item.title.length + SEPARATOR.length
  const used = told === null ? candidate.evidence.filter(({ field }) => field !== 'occurred_at') : candidate.evidence
  const evidence = used.map(({ field, source, start, end, score }) => {
    const by = source === 'title' ? 0 : offset
    return { field, start: start + by, end: end + by, score }
  })
  const moderation = {
    ...EMPTY_MODERATION_RECORD,
    text: textOf(item),
    origin: 'feed',
    reading: { source_id: source.id, item_id: id, score: candidate.score, evidence },
  } as const
  // The same whenever the item is read: an incident that exists is never queued again.
  const identity = reportedNow(now, derivedIdentifier('incident', hashOf(`${id} ${index}`)))
  return { incident: buildIncident(report, placement, identity, moderation, null, reliability), moderation }
}

/** Null if the story does not say when, or names a time that no report may have. */
function toldTime({ occurred_at, time_precision }: IncidentCandidate, now: number) {
  if (occurred_at === null || time_precision === null) return null
  return timeFault(Date.parse(occurred_at), now) === null ? { occurred_at, time_precision } : null
}

/** The title and the text, as the desk shows them. */
function textOf({ title, text }: FeedItem): string {
  return title === '' ? text : `${title}${SEPARATOR}${text}`
}

function givenPlace({ type, lat, lng, state, lga, precision, matched }: IncidentCandidate): GivenPlace {
  const place = precision !== null && NAMED_PRECISIONS.includes(precision) ? (matched?.name ?? null) : null
  return { type, lat, lng, state, lga, place, precision }
}

/** Without the LGA if it and the point disagree: an estimated border is not certain. */
function placementOf(candidate: IncidentCandidate, geography: Geography): Placement | null {
  if (candidate.lat === null || candidate.lng === null) return null
  const given = givenPlace(candidate)
  for (const attempt of [given, { ...given, lga: null }]) {
    const result = placeReport(attempt, geography)
    if (!('placement' in result)) continue
    const { placement } = result
    const radius_km = Math.max(placement.location.radius_km ?? 0, candidate.radius_km ?? 0)
    return { ...placement, location: { ...placement.location, radius_km } }
  }
  return null
}

/** The title tells of the whole story; with several incidents, each has its own sentence. */
function summaryOf({ evidence }: IncidentCandidate, isOnlyOne: boolean, { title, text }: FeedItem): string {
  const told = evidence.find(({ field }) => field === 'type')
  if (isOnlyOne && title !== '') return normalizeSummary(title) || title
  if (told === undefined || told.source === 'title') return normalizeSummary(title === '' ? text : title)
  return normalizeSummary(sentenceAround(text, told.start, told.end))
}

function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(0, start).search(/[^.!?\n]*$/)
  const after = text.slice(end).search(/[.!?](?=\s|$)|\n/)
  return text.slice(before, after < 0 ? text.length : end + after + 1).trim()
}

export type KnownFeed = ReturnType<typeof knownFeed>

/** Tells the items of one document of a feed apart. */
export function knownFeed(feedUrl: string, items: readonly FeedItem[]) {
  const feedKey = urlKeyOf(feedUrl) ?? digestOf(feedUrl)
  const guidsByUrl = new Map<string, Set<string>>()
  const linksByGuid = new Map<string, Set<string | null>>()
  const titlesByGuid = new Map<string, Set<string>>()
  const add = <Value>(values: Map<string, Set<Value>>, key: string, value: Value): void =>
    void values.set(key, (values.get(key) ?? new Set()).add(value))
  for (const { url, guid, title } of items) {
    if (url !== null) add(guidsByUrl, url, guid)
    add(linksByGuid, guid, linkOf(url))
    add(titlesByGuid, guid, title)
  }
  /** Follows from address and GUID: a feed that is added again brings nothing twice. */
  const idByGuid = ({ guid }: FeedItem): string => derivedIdentifier('item', hashOf(`${feedKey} ${guid}`))
  const idByGuidAndUrl = ({ guid, url, title }: FeedItem): string =>
    derivedIdentifier('item', hashOf(`${feedKey} ${guid}\n${linkOf(url) ?? title}`))
  /** Items that differ in link and title are different, though the feed gives them one GUID. */
  const isAmbiguous = ({ guid }: FeedItem): boolean =>
    linksByGuid.get(guid)!.size > 1 && titlesByGuid.get(guid)!.size > 1
  return {
    idOf: (item: FeedItem): string => (isAmbiguous(item) ? idByGuidAndUrl(item) : idByGuid(item)),
    /** The ids that it may have been saved under: others may have shared its GUID at that time. */
    savedAs: (item: FeedItem): string[] => [idByGuid(item), idByGuidAndUrl(item)],
    /** `saved` has what was found under these ids. */
    isSaved(item: FeedItem, saved: ReadonlyMap<string, KnownItem>): boolean {
      if (saved.has(idByGuidAndUrl(item))) return true
      const byGuid = saved.get(idByGuid(item))
      // It was alone with its GUID when it was saved; it may be any of those that share it.
      return byGuid !== undefined && (!isAmbiguous(item) || mayBe(item, byGuid))
    },
    /** Null if the address does not tell the item from others. */
    urlKeyOf({ url }: FeedItem): string | null {
      // A front page or a live blog is the address of many stories.
      if (url === null || guidsByUrl.get(url)!.size > 1 || isFrontPage(url)) return null
      return urlKeyOf(url)
    },
  }
}

/** Whether a saved item has the link or the title, or was redacted so that neither is known. */
function mayBe({ url, title }: FeedItem, saved: KnownItem): boolean {
  const link = saved.urlKey ?? linkOf(saved.url)
  return saved.title === title || (link === null ? saved.title === '' : link === linkOf(url))
}

/** The same for all spellings of an address. */
function linkOf(url: string | null): string | null {
  return url && (urlKeyOf(url) ?? url)
}

/** A digest of the canonical address; null if the text is no web address. */
export function urlKeyOf(url: string): string | null {
  const address = canonicalAddress(url)
  return address === null ? null : digestOf(address)
}

function isFrontPage(url: string): boolean {
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === ''
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
