import {
  type ItemState,
  NEVER_POLLED,
  type NewsItem,
  type NewsSource,
  type PollState,
  type ProposalState,
  type ProposedSource,
  type SourceKind,
  type UnplacedStory,
} from '../../../domain/sources.ts'
import type { DueSource, ItemWrite, NewSource, SourcePatch } from '../../sources.ts'

// Both dialects have the same column names.

export interface DueSourceRow {
  id: string
  kind: string
  url: string
  url_key: string
  publisher: string
  every_minutes: number
  /** A number in SQLite. */
  paused: boolean | number
  created_at: number
  due_at: number
  polling: string
}

export interface SourceRow extends DueSourceRow {
  items: number
  queued: number
  proposed: number
  confirmed: number
}

export function dueSourceOf(row: DueSourceRow): DueSource {
  return {
    id: row.id,
    kind: row.kind as SourceKind,
    url: row.url,
    publisher: row.publisher,
    everyMinutes: row.every_minutes,
    paused: Boolean(row.paused),
    createdAt: row.created_at,
    dueAt: row.due_at,
    polling: JSON.parse(row.polling) as PollState,
  }
}

/** Only the columns `paused` and `polling` are read. */
export function pollStateOf({ paused, polling }: Pick<DueSourceRow, 'paused' | 'polling'>) {
  return { paused: Boolean(paused), polling: JSON.parse(polling) as PollState }
}

export function sourceOf(row: SourceRow): NewsSource {
  const { items, queued, proposed, confirmed } = row
  return { ...dueSourceOf(row), counts: { items, queued, proposed, confirmed } }
}

/** In the order of the table's columns; `paused` as a number. */
export function sourceValues(source: NewSource) {
  return [
    source.id,
    source.kind,
    source.url,
    source.urlKey,
    source.publisher,
    source.everyMinutes,
    Number(source.paused),
    source.createdAt,
    source.dueAt,
    JSON.stringify(NEVER_POLLED),
  ] as const
}

/** The columns that a patch sets; null keeps the stored value. */
export function patchValues(id: string, patch: SourcePatch) {
  return [
    id,
    patch.url ?? null,
    patch.urlKey ?? null,
    patch.publisher ?? null,
    patch.everyMinutes ?? null,
    patch.paused === undefined ? null : Number(patch.paused),
    patch.dueAt ?? null,
    patch.polling === undefined ? null : JSON.stringify(patch.polling),
  ] as const
}

export interface ItemRow {
  id: string
  source_id: string
  state: string
  title: string
  url: string | null
  published_at: number | null
  first_seen_at: number
  duplicate_of: string | null
  /** A JSON list. */
  incidents: string | null
}

export function itemOf(row: ItemRow): NewsItem {
  return {
    id: row.id,
    sourceId: row.source_id,
    state: row.state as ItemState,
    title: row.title,
    url: row.url,
    publishedAt: row.published_at,
    firstSeenAt: row.first_seen_at,
    incidentIds: incidentIdsOf(row.incidents),
    duplicateOf: row.duplicate_of,
  }
}

function incidentIdsOf(json: string | null): readonly string[] {
  return (JSON.parse(json ?? '[]') as string[]).sort()
}

export interface StoryRow extends Pick<ItemRow, 'id' | 'source_id' | 'title' | 'url' | 'published_at' | 'incidents'> {
  publisher: string
  text: string
  found_at: number
}

export function storyOf(row: StoryRow): UnplacedStory {
  return {
    id: row.id,
    sourceId: row.source_id,
    publisher: row.publisher,
    title: row.title,
    url: row.url,
    text: row.text,
    publishedAt: row.published_at,
    foundAt: row.found_at,
    incidentIds: incidentIdsOf(row.incidents),
  }
}

/** In the order of the table's columns. */
export function itemValues({ item, urlKey, fingerprint, gist }: ItemWrite) {
  return [
    item.id,
    item.sourceId,
    item.state,
    item.title,
    item.url,
    urlKey,
    item.publishedAt,
    item.firstSeenAt,
    item.firstSeenAt,
    fingerprint,
    gist,
    item.duplicateOf,
  ] as const
}

export interface ProposalRow {
  id: string
  incident_id: string
  item_id: string
  state: string
  proposed_at: number
  decided_at: number | null
  score: number
  content: string
}

export function proposalOf(row: ProposalRow): ProposedSource {
  return {
    id: row.id,
    incidentId: row.incident_id,
    itemId: row.item_id,
    state: row.state as ProposalState,
    proposedAt: row.proposed_at,
    decidedAt: row.decided_at,
    score: row.score,
    ...(JSON.parse(row.content) as Pick<ProposedSource, 'reasons' | 'report'>),
  }
}

/** In the order of the table's columns. */
export function proposalValues(proposal: ProposedSource) {
  const { id, incidentId, itemId, state, proposedAt, decidedAt, score, reasons, report } = proposal
  return [id, incidentId, itemId, state, proposedAt, decidedAt, score, JSON.stringify({ reasons, report })] as const
}
