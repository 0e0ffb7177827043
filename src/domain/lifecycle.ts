import type { EventKind, Status } from './incident.ts'

interface Transition {
  readonly from: readonly Status[]
  readonly to: Status
  /** Null if the incident was never public. */
  readonly event: EventKind | null
}

export const TRANSITIONS = {
  confirm: { from: ['reported'], to: 'confirmed', event: 'incident.created' },
  reject: { from: ['reported'], to: 'rejected', event: null },
  merge: { from: ['reported'], to: 'merged', event: null },
  retract: { from: ['confirmed'], to: 'retracted', event: 'incident.retracted' },
} as const satisfies Record<string, Transition>
export type TransitionName = keyof typeof TRANSITIONS

export function mayTransition(transition: TransitionName, status: Status): boolean {
  const from: readonly Status[] = TRANSITIONS[transition].from
  return from.includes(status)
}
