import { ACCOUNTS_TABLES } from './accounts.ts'
import { INCIDENTS_TABLES } from './incidents.ts'
import { INTAKE_TABLES } from './intake.ts'
import type { CopiedTable } from './table.ts'
import { WATCHES_TABLES } from './watches.ts'

/**
 * Every table that is copied. A table comes after those it refers to, and `desk_counts` after
 * `desk_entries`, whose triggers count.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  ...ACCOUNTS_TABLES,
  ...INCIDENTS_TABLES,
  ...INTAKE_TABLES,
  ...WATCHES_TABLES,
]

export interface NotCopied {
  readonly store: 'sqlite' | 'postgres' | 'both'
  /** A table, or table.column. */
  readonly name: string
  readonly why: string
}

const FIRST_ATTEMPT = 'SQLite keeps the attempt that succeeds at once in this row; it is copied as a row of attempts'

/** All that a store has and a copy leaves out. */
export const NOT_COPIED: readonly NotCopied[] = [
  { store: 'both', name: 'schema_version', why: 'written by the migrations; both stores must have the same' },
  { store: 'postgres', name: 'budgets', why: 'the requests of the current minute, counted for several nodes' },
  { store: 'sqlite', name: 'fan_out.made_due', why: 'a counter that wakes processes; PostgreSQL sends a notification' },
  { store: 'sqlite', name: 'deliveries.first_at', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_duration', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_status_code', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_answer', why: FIRST_ATTEMPT },
  { store: 'sqlite', name: 'deliveries.first_content_seq', why: FIRST_ATTEMPT },
]
