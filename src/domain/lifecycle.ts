import type { EventKind, Status } from './incident.ts'

interface Move {
  readonly from: readonly Status[]
  readonly to: Status
  /** What the feed tells the world when the move is made; null where the world never knew of the incident. */
  readonly event: EventKind | null
}

export const TRANSITIONS = {
  confirm: { from: ['reported'], to: 'confirmed', event: 'incident.created' },
  reject: { from: ['reported'], to: 'rejected', event: null },
  merge: { from: ['reported'], to: 'merged', event: null },
  retract: { from: ['confirmed'], to: 'retracted', event: 'incident.retracted' },
} as const satisfies Record<string, Move>
export type TransitionName = keyof typeof TRANSITIONS

export function mayTransition(move: TransitionName, status: Status): boolean {
  const from: readonly Status[] = TRANSITIONS[move].from
  return from.includes(status)
}
