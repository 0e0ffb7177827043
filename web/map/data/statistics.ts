import type { Casualties } from '../../../src/domain/incident.ts'
import type { IncidentPage } from '../initial-data.ts'

interface NamedGroup {
  readonly key: string
  readonly label: string
  readonly state?: string
}

interface TimeGroup {
  readonly key: string
  readonly from: string
  readonly to: string
}

export interface Bucket {
  readonly state?: NamedGroup
  readonly lga?: NamedGroup | null
  readonly type?: NamedGroup
  readonly severity?: NamedGroup
  readonly hour?: TimeGroup
  readonly day?: TimeGroup
  readonly week?: TimeGroup
  readonly month?: TimeGroup
  readonly count: number
  readonly casualties: Casualties
}

export interface Statistics {
  readonly data: readonly Bucket[]
  readonly total: { readonly count: number }
  readonly meta: IncidentPage['meta']
}
