import { randomBytes } from 'node:crypto'
import { fieldChanges } from '../../domain/field-changes.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Actor, HistoryEntry } from '../../domain/lifecycle.ts'
import type { ModerationRecord } from '../../domain/moderation.ts'

/** What an editor decided: who, when, why, and on which version. */
export interface Decision {
  readonly by: Actor
  readonly note: string | null
  /** From `If-Match`; null accepts any version. */
  readonly expected: number | null
  readonly now: number
}

interface State {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** The history entry of a step from one state to the next. */
export function historyEntryFor(
  step: HistoryEntry['step'],
  before: State,
  after: State,
  { by, note, now }: Decision,
  more: { readonly fields?: readonly string[]; readonly other?: string } = {},
): HistoryEntry {
  const changes = fieldChanges(before, after)
  return {
    id: newIdentifier('step', now, randomBytes),
    step,
    version: after.incident.version,
    at: now,
    by,
    note,
    fields: more.fields ?? [],
    changes,
    other: more.other ?? null,
  }
}
