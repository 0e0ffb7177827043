import { createStore } from '../../shared/store.ts'
import type { DeskIncident } from '../api/types.ts'
import type { MoveName } from './moves.ts'

/** A decision that was refused because somebody else was faster. */
export interface Conflict {
  readonly move: MoveName
  /** The incident as the editor saw it. */
  readonly seen: DeskIncident
  readonly message: string
}

export const conflicts = createStore<ReadonlyMap<string, Conflict>>(new Map())

export function addConflict(conflict: Conflict): void {
  conflicts.set(new Map(conflicts.get()).set(conflict.seen.id, conflict))
}

export function dismissConflict(id: string): void {
  const left = new Map(conflicts.get())
  if (left.delete(id)) conflicts.set(left)
}
