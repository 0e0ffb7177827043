import type { FastifyRequest } from 'fastify'
import { newTipSecret, TipChallenges } from '../../../desk/tips/challenges.ts'
import type { TipParts } from '../../../desk/tips/receive-tip.ts'
import type { Store } from '../../../store/store.ts'
import { addressSubject } from '../../requests/client-address.ts'
import { type Environment, type Phase, requireServices } from '../../services.ts'
import { TipLimits } from './tip-limits.ts'

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
