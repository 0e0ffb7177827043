import type { EventKind, Status } from '../incident.ts'

interface Transition {
  readonly from: readonly Status[]
  readonly to: Status
  /** Null if the incident was never public. */
  readonly event: EventKind | null
}

export const TRANSITIONS = {
  confirm: { from: ['reported'], to: 'confirmed', event: 'incident.created' },
  reject: { from: ['reported'], to: 'rejected', event: null },
  retract: { from: ['confirmed'], to: 'retracted', event: 'incident.retracted' },
  reopen: { from: ['rejected'], to: 'reported', event: null },
  // Copies still know the incident's earlier versions, and who was alerted is not alerted again.
  restore: { from: ['retracted'], to: 'confirmed', event: 'incident.updated' },
} as const satisfies Record<string, Transition>
export type Decided = keyof typeof TRANSITIONS
/**
 * A merge changes two incidents; its statuses and events follow from both (`intake/desk/merge.ts`).
 */
export type TransitionName = Decided | 'merge' | 'unmerge'

export function mayTransition(transition: Decided, status: Status): boolean {
  const from: readonly Status[] = TRANSITIONS[transition].from
  return from.includes(status)
}
