import type { Status } from '../../../src/domain/incident.ts'

interface Move {
  readonly from: readonly Status[]
  /** The verb on its button. */
  readonly verb: string
  /** The word for what was done. */
  readonly done: string
  /** Whether the incident leaves the list of its status. */
  readonly leaves: boolean
}

/** What an editor can do to an incident, by its status. */
export const MOVES = {
  confirm: { from: ['reported'], verb: 'Confirm', done: 'Confirmed', leaves: true },
  reject: { from: ['reported'], verb: 'Reject', done: 'Rejected', leaves: true },
  merge: { from: ['reported', 'confirmed'], verb: 'Merge', done: 'Merged', leaves: true },
  retract: { from: ['confirmed'], verb: 'Retract', done: 'Retracted', leaves: true },
  reopen: { from: ['rejected'], verb: 'Reopen', done: 'Reopened', leaves: true },
  restore: { from: ['retracted'], verb: 'Restore', done: 'Restored', leaves: true },
  unmerge: { from: ['merged'], verb: 'Unmerge', done: 'Unmerged', leaves: true },
  note: {
    from: ['reported', 'confirmed', 'rejected', 'retracted', 'merged'],
    verb: 'Note',
    done: 'Noted',
    leaves: false,
  },
  redact: {
    from: ['reported', 'confirmed', 'rejected', 'retracted', 'merged'],
    verb: 'Redact',
    done: 'Redacted',
    leaves: false,
  },
  undo: { from: [], verb: 'Undo', done: 'Undone', leaves: false },
} as const satisfies Record<string, Move>
export type MoveName = keyof typeof MOVES

export function allows(move: MoveName, status: Status): boolean {
  return (MOVES[move].from as readonly Status[]).includes(status)
}
