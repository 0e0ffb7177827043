import type { FastifyRequest } from 'fastify'
import { RateLimiter, SharedRateLimiter } from '../../accounts/rate-limiter.ts'
import { newTipSecret, TipChallenges } from '../../desk/tips/challenges.ts'
import type { TipParts } from '../../desk/tips/receive-tip.ts'
import { Problem } from '../../domain/errors.ts'
import type { Store } from '../../store/store.ts'
import { addressSubject } from '../requests/client.ts'
import { type Environment, type Phase, requireServices, servicesIfReady } from '../services.ts'

/** What the page and the API share: the signed challenges and the limits of tips. */
export class TipAdmission {
  readonly #environment: Environment
  readonly #currentPhase: () => Phase
  readonly #limits: TipLimits
  #loaded: { readonly store: Store; readonly challenges: TipChallenges } | null = null

  constructor(environment: Environment, currentPhase: () => Phase) {
    this.#environment = environment
    this.#currentPhase = currentPhase
    this.#limits = new TipLimits(environment, currentPhase)
  }

  async challenges(): Promise<TipChallenges> {
    const { store } = requireServices(this.#currentPhase())
    if (this.#loaded?.store !== store)
      this.#loaded = { store, challenges: new TipChallenges(await store.tips.secret(newTipSecret())) }
    return this.#loaded.challenges
  }

  async partsFor(request: FastifyRequest, withProof: boolean): Promise<TipParts> {
    const { geography, clock } = this.#environment
    const challenges = await this.challenges()
    const { store } = requireServices(this.#currentPhase())
    const admit = () => this.#limits.countTip(addressSubject(request), withProof)
    return { store, geography, challenges, now: clock(), admit }
  }
}

const HOUR_MS = 3_600_000
/** Without proof of work, a flood costs its sender nothing. */
const SHARE_WITHOUT_PROOF = 1 / 3

/**
 * TIPS_PER_HOUR for each client address, TIPS_PER_HOUR_TOTAL for all. Addresses are counted in the
 * memory of this node only: nothing that tells who sent a tip is stored.
 */
export class TipLimits {
  readonly #environment: Environment
  readonly #addresses = new RateLimiter(HOUR_MS)
  readonly #total: SharedRateLimiter

  constructor(environment: Environment, currentPhase: () => Phase) {
    this.#environment = environment
    const quotas = () => servicesIfReady(currentPhase())?.store.quotas ?? null
    this.#total = new SharedRateLimiter({ clock: environment.clock, quotas, windowMs: HOUR_MS })
  }

  /** Throws 429 above a limit. The address first: one address cannot use up the total of all. */
  async countTip(address: string, withProof: boolean): Promise<void> {
    const { TIPS_PER_HOUR, TIPS_PER_HOUR_TOTAL } = this.#environment.config
    const now = this.#environment.clock()
    const kind = withProof ? 'with proof' : 'without proof'
    const share = withProof ? 1 : SHARE_WITHOUT_PROOF
    const ofAddress = this.#addresses.consume(`${kind} ${address}`, Math.floor(TIPS_PER_HOUR * share), now)
    if (!ofAddress.allowed) throw tooMany('Too many tips came from this address within an hour.', ofAddress.resetsIn)
    const ofAll = await this.#total.consume(`tips ${kind}`, Math.floor(TIPS_PER_HOUR_TOTAL * share))
    if (!ofAll.allowed) throw tooMany('Too many tips came within an hour.', ofAll.resetsIn)
  }
}

function tooMany(detail: string, resetsIn: number): Problem {
  return new Problem('rate_limited', `${detail} Try again in ${resetsIn} s.`, {
    headers: { 'retry-after': String(resetsIn) },
  })
}
