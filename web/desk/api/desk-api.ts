import type { IncidentCandidate } from '../../../src/domain/story.ts'
import { request } from '../../shared/parts/request.ts'
import type { DeskCounts, DeskIncident, DeskPage, Step, Tip } from './types.ts'

const INCIDENTS = '/v1/desk/incidents'

/** The path of an incident at the desk, or of one of its moves. */
export function incidentPath(id: string, move?: string): string {
  return `${INCIDENTS}/${encodeURIComponent(id)}${move === undefined ? '' : `/${move}`}`
}

/** A page without possible duplicates: finding them takes longer than all the rest. */
export async function listQueue(query: URLSearchParams, signal: AbortSignal): Promise<DeskPage> {
  const page = await request<DeskPage>('GET', `${INCIDENTS}?${query}&duplicates=none`, { signal })
  const data = page.data.map((row) => ({ ...row, desk: { ...row.desk, possible_duplicates: null } }))
  return { ...page, data }
}

/** The same page with the possible duplicates of each row. */
export function listWithDuplicates(query: URLSearchParams, signal: AbortSignal): Promise<DeskPage> {
  return request<DeskPage>('GET', `${INCIDENTS}?${query}`, { signal })
}

export function readIncident(id: string, signal?: AbortSignal): Promise<DeskIncident> {
  return request<DeskIncident>('GET', incidentPath(id), signal ? { signal } : {})
}

export async function readHistory(id: string): Promise<readonly Step[]> {
  return (await request<{ data: Step[] }>('GET', incidentPath(id, 'history'))).data
}

/** Who sent the tips behind an incident. */
export async function readTips(id: string): Promise<readonly Tip[]> {
  return (await request<{ data: Tip[] }>('GET', incidentPath(id, 'tips'))).data
}

export function readCounts(): Promise<DeskCounts> {
  return request<DeskCounts>('GET', '/v1/desk/counts')
}

/** Corrects an incident; refused if it is no longer at this version. */
export function correctIncident(id: string, version: number, changes: object): Promise<DeskIncident> {
  return request<DeskIncident>('PATCH', incidentPath(id), { body: changes, version })
}

/** Reads a story that was published on a day; stores nothing. */
export function readStory(text: string, publishedOn: string | null): Promise<{ candidates: IncidentCandidate[] }> {
  return request('POST', '/v1/desk/extract', { body: { text, published_at: publishedOn } })
}
