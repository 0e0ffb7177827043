import type { Incident } from '../../src/domain/incident.ts'

export interface IncidentPage {
  readonly data: readonly Incident[]
  readonly has_more: boolean
  readonly next_cursor: string | null
  readonly meta: { readonly as_of: string; readonly seq: number; readonly newest_published_at: string | null }
}

/** What the server has put into the page for the scripts to begin with. */
export interface InitialData {
  readonly key: string | null
  readonly publicUrl: string
  readonly demo: boolean
  readonly styleUrl: string | null
  readonly hasLgas: boolean
  /** The server's clock. */
  readonly now: number
  readonly list: IncidentPage
  /** The address asked for something that could not be understood. */
  readonly misread: boolean
  readonly selected?: Incident
  readonly gone?: 'retracted' | 'not_found'
}

export const initialData = JSON.parse(document.getElementById('initial-data')!.textContent!) as InitialData

const offset = initialData.now - Date.now()

/** The time, by the server's clock: a phone's own may be wrong by hours. */
export function now(): number {
  return Date.now() + offset
}
