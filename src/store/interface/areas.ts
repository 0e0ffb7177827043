import type { AreaPatch, SavedArea } from '../../domain/area.ts'
import type { Site, SiteList } from '../../domain/sites.ts'
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

/** A saved list of sites with the number of watches whose filters use it. */
export interface UsedSiteList extends SiteList {
  readonly watches: number
}

/** The part of a list that matching needs. */
export interface SitePositions extends Pick<SiteList, 'id' | 'name' | 'version'> {
  /** As `packPositions` writes them. */
  readonly positions: Uint8Array
}

export interface SiteListPatch {
  readonly name: string
  readonly sites: readonly Site[]
}

export interface SiteLists {
  /**
   * Refuses the list if the account has one of that name, or `max` lists, even if others add
   * concurrently.
   */
  add(list: SiteList, sites: readonly Site[], max: number): Promise<true | AreaRefusal>
  find(accountId: string, id: string): Promise<UsedSiteList | null>
  /** Newest first; only those older than `before` if given. */
  list(accountId: string, limit: number, before: string | null): Promise<UsedSiteList[]>
  count(accountId: string): Promise<number>
  positions(accountId: string, id: string): Promise<SitePositions | null>
  /**
   * The version at present, for whoever has the positions of one; null if there is no such list.
   */
  version(accountId: string, id: string): Promise<number | null>
  /**
   * The list with its sites from number `from` on, counted from 0, all of one version; null if
   * there is no such list.
   */
  page(accountId: string, id: string, from: number, limit: number): Promise<SitePage | null>
  /**
   * Names and references of the sites that have these numbers in this version; none if the list has
   * another one.
   */
  names(id: string, version: number, numbers: readonly number[]): Promise<SiteName[]>
  /**
   * Replaces name and sites; returns the changed list, or null if there is none. The sites get the
   * next version, which is written into the filters of all watches that use the list, in the same
   * transaction; each watch gets a new revision.
   */
  change(accountId: string, id: string, patch: SiteListPatch, now: number): Promise<UsedSiteList | 'name_taken' | null>
  /**
   * Removes the list unless watches use it, of which it returns some; null if there is no such
   * list.
   */
  remove(accountId: string, id: string): Promise<readonly UsingWatch[] | null>
}

export interface SitePage {
  readonly list: UsedSiteList
  readonly sites: readonly Site[]
}

export interface SiteName extends Pick<Site, 'name' | 'reference'> {
  readonly number: number
}
