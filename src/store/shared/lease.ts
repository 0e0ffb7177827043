import { checkText } from './check-text.ts'

export interface LeaseWish {
  readonly owner: string
  readonly now: number
  readonly until: number
  readonly limit: number
  readonly exceptHosts: readonly string[]
}

/**
 * How many of the queue's first deliveries are looked at besides those asked for. An endpoint that hangs may have a hundred
 * thousand due, at the very front: where all these are for hosts left out, the others are looked for host by host instead.
 */
export const WINDOW = 1_000

/** How many hosts are looked at in one call, and how many deliveries each has a turn for. */
export const HOSTS = 2_000
export const SHARE = 50

/** Where the next walk over the hosts begins: each has its turn, though a call ends before it has seen them all. */
export interface HostTurn {
  afterHost: string
}

/** The one for critical deliveries, and the one for the rest. */
export interface HostTurns {
  readonly critical: HostTurn
  readonly rest: HostTurn
}

export function newTurns(): HostTurns {
  return { critical: { afterHost: '' }, rest: { afterHost: '' } }
}

/** From where the last one ended, then from the beginning. */
export function walksOf({ afterHost }: HostTurn): readonly string[] {
  return afterHost === '' ? [''] : [afterHost, '']
}

/** Not all of it comes before the database each time, so it is checked here: what is refused does not depend on the queue. */
export function checkWish({ owner, exceptHosts }: LeaseWish): void {
  for (const text of [owner, ...exceptHosts]) checkText(text)
}
