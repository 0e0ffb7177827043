import { checkText } from './check-text.ts'

export interface LeaseRequest {
  readonly owner: string
  readonly now: number
  readonly until: number
  readonly limit: number
  readonly exceptHosts: readonly string[]
}

/**
 * Deliveries read from the front of the queue in addition to those requested. A hanging endpoint
 * may have a hundred thousand due at the very front: if all of these are for excluded hosts, the
 * others are looked up host by host instead.
 */
export const QUEUE_SCAN_ROWS = 1_000

/** The most hosts that one call looks at, and the most deliveries it takes from each. */
export const MAX_HOSTS_PER_CALL = 2_000
export const MAX_DELIVERIES_PER_HOST = 50

/**
 * The host after which the next walk begins, so that calls that end early still reach every host.
 */
export interface HostCursor {
  afterHost: string
}

/** One cursor for critical deliveries and one for all others. */
export interface HostCursors {
  readonly critical: HostCursor
  readonly rest: HostCursor
}

export function newHostCursors(): HostCursors {
  return { critical: { afterHost: '' }, rest: { afterHost: '' } }
}

/** The starting points of a full round: from where the last walk ended, then from the beginning. */
export function walkStartsOf({ afterHost }: HostCursor): readonly string[] {
  return afterHost === '' ? [''] : [afterHost, '']
}

/**
 * Checks the texts of a request here, because not every call passes all of them to the database:
 * the same request must be refused for any state of the queue.
 */
export function checkLeaseRequest({ owner, exceptHosts }: LeaseRequest): void {
  for (const text of [owner, ...exceptHosts]) checkText(text)
}
