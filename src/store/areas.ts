import type { AreaPatch, SavedArea } from '../domain/area.ts'
import type { UsingWatch } from './watches.ts'

export type AreaRefusal = 'name_taken' | 'too_many'

/** A saved area with the number of watches whose filters use it. */
export interface UsedArea extends SavedArea {
  readonly watches: number
}

export interface Areas {
  /**
   * Refuses the area if the account has one of that name, or `max` areas, even if others add
   * concurrently.
   */
  add(area: SavedArea, max: number): Promise<true | AreaRefusal>
  find(accountId: string, id: string): Promise<UsedArea | null>
  /** Newest first; only those older than `before` if given. */
  list(accountId: string, limit: number, before: string | null): Promise<UsedArea[]>
  count(accountId: string): Promise<number>
  /**
   * Returns the changed area, or null if there is none. A new shape replaces the one in the filters
   * of all watches that use the area, in the same transaction; each watch gets a new revision.
   */
  change(accountId: string, id: string, patch: AreaPatch, now: number): Promise<UsedArea | 'name_taken' | null>
  /**
   * Returns the first watches that use the area, and removes it if there are none; null if there is
   * no such area.
   */
  remove(accountId: string, id: string): Promise<readonly UsingWatch[] | null>
}
