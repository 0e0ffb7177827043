import type { Responsiveness } from './responsiveness.ts'

/**
 * Attempts in flight are counted in three pools, so that endpoints that hang never take the room of
 * those that answer: `regular` for watches that answer in time, `trial` for the first attempts of a
 * watch, `suspended` for troubled watches and for attempts that have been waiting for long.
 */
export type Pool = 'regular' | 'trial' | 'suspended'
export const POOLS: readonly Pool[] = ['regular', 'trial', 'suspended']

export const POOL_OF: Readonly<Record<Responsiveness, Pool>> = {
  prompt: 'regular',
  unproven: 'trial',
  slow: 'suspended',
  silent: 'suspended',
}

export interface PoolLimits {
  readonly all: number
  readonly perAccount: number
  /** Politeness: a host serves many accounts, which share it. */
  readonly perHost: number
  readonly perAccountAtHost: number
}

export interface InFlightLimits {
  /** Attempts that may start in each pool. */
  readonly pools: Readonly<Record<Pool, PoolLimits>>
  readonly perWatch: Readonly<Record<Responsiveness, number>>
  /**
   * Suspended attempts up to which others may join that started in another pool. Higher than what
   * may start suspended, and highest for `regular`: troubled watches cannot keep the others'
   * attempts from leaving their pool. Waiting for an answer costs a socket and little else.
   */
  readonly suspendedFrom: Readonly<Record<'trial' | 'regular', Pick<PoolLimits, 'all' | 'perHost'>>>
}

/** `concurrency` and `perHost` are the settings; everything else is a share of them. */
export function inFlightLimits(concurrency: number, perHost: number): InFlightLimits {
  const share = (whole: number, part: number) => Math.max(1, Math.round(whole * part))
  return {
    pools: {
      regular: {
        all: concurrency,
        perAccount: share(concurrency, 3 / 4),
        perHost,
        perAccountAtHost: share(perHost, 3 / 4),
      },
      trial: {
        all: share(concurrency, 1 / 2),
        perAccount: share(concurrency, 1 / 8),
        perHost: share(perHost, 1 / 2),
        perAccountAtHost: share(perHost, 1 / 4),
      },
      suspended: {
        all: 4 * concurrency,
        perAccount: share(concurrency, 1 / 2),
        perHost,
        perAccountAtHost: share(perHost, 1 / 4),
      },
    },
    perWatch: { prompt: share(perHost, 3 / 4), unproven: 1, slow: share(perHost, 1 / 8), silent: 1 },
    suspendedFrom: {
      trial: { all: 8 * concurrency, perHost: 2 * perHost },
      // At one host no more can be suspended than start there within the 15 s of an attempt.
      regular: { all: 20 * concurrency, perHost: 20 * concurrency },
    },
  }
}
