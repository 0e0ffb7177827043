import type { Incident, Me } from '../../client/src/generated/types.ts'
import type { Status } from '../../src/domain/incident.ts'
import type { Origin } from '../../src/domain/moderation.ts'
import type { MatchReason } from '../../src/domain/near-duplicates.ts'
import type { IncidentCandidate } from '../../src/domain/story.ts'
import type { Severity } from '../../src/domain/taxonomy.ts'
import { type Page, request } from '../shared/parts/request.ts'

/** The answers of the desk's own endpoints, which the client has no types of. */
export type Account = NonNullable<Me['account']>

export interface Claim {
  readonly by: { readonly account_id: string; readonly name: string }
  readonly until: string
}

export interface PossibleDuplicate
  extends Pick<Incident, 'id' | 'status' | 'type' | 'state' | 'lga' | 'occurred_at' | 'summary'> {
  readonly score: number
  readonly reasons: readonly MatchReason[]
}

/** A way to undo the last step of an incident. */
export interface Undo {
  readonly step: string
  readonly undoes: string
  readonly move: 'retract' | 'reopen' | 'restore' | 'unmerge' | 'put_back'
  readonly path: string
}

/** An incident in any status, with what only the desk sees. */
export interface DeskIncident extends Incident {
  readonly desk: {
    readonly origin: Origin
    readonly claim: Claim | null
    readonly text: string | null
    readonly official_sources: readonly number[]
    readonly severity_given: boolean
    readonly merged_into: string | null
    readonly merged_from?: readonly string[]
    readonly undo?: Undo | null
    readonly source_id: string | null
    /** Likeliest first; null until they were looked for. */
    readonly possible_duplicates: readonly PossibleDuplicate[] | null
  }
}

export interface DeskCounts {
  readonly status: Readonly<Record<Status, number>>
  readonly origin: Readonly<Record<Origin, number>>
  readonly severity: Readonly<Record<Severity, number>>
  readonly claimed: { readonly me: number; readonly others: number; readonly none: number }
  readonly revision: number
}

export interface DeskChange extends Pick<DeskIncident, 'id' | 'status' | 'version'> {
  readonly revision: number
  readonly claim: Claim | null
}

/** One entry of an incident's history. */
export interface Step {
  readonly id: string | null
  readonly step: string
  readonly version: number
  readonly at: string
  readonly by: { readonly key_id: string; readonly account_id: string | null; readonly name: string }
  readonly note: string | null
  readonly fields: readonly string[]
  readonly changes?: readonly { readonly field: string; readonly old: unknown; readonly new: unknown }[]
  readonly other?: string | null
}

const INCIDENTS = '/v1/desk/incidents'

/** The path of an incident at the desk, or of one of its moves. */
export function incidentPath(id: string, move?: string): string {
  return `${INCIDENTS}/${encodeURIComponent(id)}${move === undefined ? '' : `/${move}`}`
}

/** A page without possible duplicates: finding them takes longer than all the rest. */
export async function listQueue(query: URLSearchParams, signal: AbortSignal): Promise<Page<DeskIncident>> {
  const page = await request<Page<DeskIncident>>('GET', `${INCIDENTS}?${query}&duplicates=none`, { signal })
  const data = page.data.map((row) => ({ ...row, desk: { ...row.desk, possible_duplicates: null } }))
  return { ...page, data }
}

/** The same page with the possible duplicates of each row. */
export function listWithDuplicates(query: URLSearchParams, signal: AbortSignal): Promise<Page<DeskIncident>> {
  return request('GET', `${INCIDENTS}?${query}`, { signal })
}

export function readIncident(id: string): Promise<DeskIncident> {
  return request('GET', incidentPath(id))
}

/** A list about one incident, such as its history. */
export async function listOf<Item>(id: string, name: 'history' | 'tips' | 'proposed-sources') {
  return (await request<Page<Item>>('GET', incidentPath(id, name))).data
}

export function readHistory(id: string): Promise<readonly Step[]> {
  return listOf<Step>(id, 'history')
}

export function readCounts(): Promise<DeskCounts> {
  return request('GET', '/v1/desk/counts')
}

/** Reads a story that was published on a day; stores nothing. */
export function readStory(text: string, publishedOn: string | null): Promise<{ candidates: IncidentCandidate[] }> {
  return request('POST', '/v1/desk/extract', { body: { text, published_at: publishedOn } })
}
