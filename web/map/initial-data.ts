import type { Incident } from '../../src/domain/incident.ts'
import type { AddressCorrection } from '../../src/filter/map-address.ts'

export interface IncidentPage {
  readonly data: readonly Incident[]
  readonly has_more: boolean
  readonly next_cursor: string | null
  readonly meta: {
    readonly as_of: string
    readonly seq: number
    readonly position: string
    readonly newest_published_at: string | null
    readonly in_step_at: string
  }
}

/** The data that the server embeds in the page, so that the list shows without another request. */
export interface InitialData {
  /** The map's publishable API key. */
  readonly key: string | null
  readonly publicUrl: string
  readonly demo: boolean
  /** Whether the service offers alerts without an account. */
  readonly alerts: boolean
  readonly styleUrl: string | null
  readonly hasLgas: boolean
  readonly hasRoads: boolean
  /** The server's clock. */
  readonly now: string
  readonly list: IncidentPage
  /** The query of the page's address as the server read it, with codes for names. */
  readonly address: string
  /** The parts of the address that the server read differently, or left out. */
  readonly corrections: readonly AddressCorrection[]
  /** The names of the places in the address, by code. */
  readonly names: Readonly<Record<string, string>>
  readonly selected?: Incident
  readonly gone?: 'retracted' | 'not_found'
}

export const initialData = JSON.parse(document.getElementById('initial-data')!.textContent!) as InitialData

/** The time at which this page was saved on the device, if it comes from there. */
export const savedAt: string | null = document.documentElement.dataset.savedAt ?? null

let clockOffset = Date.parse(initialData.now) - (savedAt === null ? Date.now() : Date.parse(savedAt))

/** Returns the server's time: the clock of a phone may be wrong by hours. */
export function serverNow(): number {
  return Date.now() + clockOffset
}

/** Corrects the clock of a page that a cache had kept: what the server has said is past. */
export function noteServerTime(time: number): void {
  clockOffset = Math.max(clockOffset, time - Date.now())
}

let knownSeq = initialData.list.meta.seq

/** The number of the newest event that this page knows of: no older answer is of use to it. */
export function newestKnownSeq(): number {
  return knownSeq
}

export function noteSeq(seq: number): void {
  knownSeq = Math.max(knownSeq, seq)
}

/** Some of the events are lost, and others get their numbers. */
export function forgetSeq(): void {
  knownSeq = 0
}
