import type { Incident, Status } from '../../../src/domain/incident.ts'
import type { Origin } from '../../../src/domain/moderation.ts'
import type { MatchReason } from '../../../src/domain/near-duplicates.ts'
import type { IncidentType, Severity } from '../../../src/domain/taxonomy.ts'

export interface Claim {
  readonly by: { readonly account_id: string; readonly name: string }
  readonly until: string
}

export interface PossibleDuplicate {
  readonly id: string
  readonly score: number
  readonly status: Status
  readonly type: IncidentType
  readonly state: string
  readonly lga: string | null
  readonly occurred_at: string
  readonly summary: string
  readonly reasons: readonly MatchReason[]
}

/** How the last step of an incident can be undone. */
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

export interface DeskPage {
  readonly data: readonly DeskIncident[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface DeskCounts {
  readonly status: Readonly<Record<Status, number>>
  readonly origin: Readonly<Record<Origin, number>>
  readonly severity: Readonly<Record<Severity, number>>
  readonly claimed: { readonly me: number; readonly others: number; readonly none: number }
  readonly revision: number
}

export interface DeskChange {
  readonly revision: number
  readonly id: string
  readonly status: Status
  readonly version: number
  readonly claim: Claim | null
}

export interface FieldChange {
  readonly field: string
  readonly old: unknown
  readonly new: unknown
}

/** Who sent a tip, as only editors see it. */
export interface Tip {
  readonly incident_id: string
  readonly received_at: string
  readonly contact: string | null
  readonly kept_until: string
  readonly additions: number
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
  readonly changes?: readonly FieldChange[]
  readonly other?: string | null
}
