import { checkText } from './check-text.ts'

export interface LeaseRequest {
  readonly owner: string
  readonly now: number
  readonly until: number
  readonly limit: number
  readonly exceptHosts: readonly string[]
}

/**
 * Rows read from the front of the queue beyond the limit. A hanging endpoint may have 100,000 due
 * there: if all rows are for excluded hosts, others are looked up host by host.
 */
export const QUEUE_SCAN_ROWS = 1_000

/** Most hosts per call, and most deliveries from each. */
export const MAX_HOSTS_PER_CALL = 2_000
export const MAX_DELIVERIES_PER_HOST = 50

/** The start of the next walk: calls that end early still reach every host. */
export interface HostCursor {
  afterHost: string
}

export interface HostCursors {
  readonly critical: HostCursor
  readonly rest: HostCursor
}

export function newHostCursors(): HostCursors {
  return { critical: { afterHost: '' }, rest: { afterHost: '' } }
}

/** A full round: from where the last walk ended, then from the beginning. */
export function walkStartsOf({ afterHost }: HostCursor): readonly string[] {
  return afterHost === '' ? [''] : [afterHost, '']
}

/** Checks texts that not every call passes to the database: a bad one must always be refused. */
export function checkLeaseRequest({ owner, exceptHosts }: LeaseRequest): void {
  for (const text of [owner, ...exceptHosts]) checkText(text)
}
