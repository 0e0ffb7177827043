import type { FastifyRequest } from 'fastify'
import { addToTip as add } from '../../../desk/tips/add-to-tip.ts'
import { type Challenge, isSolved, type TipChallenges } from '../../../desk/tips/challenges.ts'
import { receiveTip } from '../../../desk/tips/receive-tip.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import { singleLine } from '../../../domain/summary.ts'
import { CHALLENGE_LIFETIME_MS, MAX_ADDITIONS, PUZZLES } from '../../../domain/tips.ts'
import type { TipAdmission } from '../../auth/tip-admission.ts'
import { addToTip, createTip, readTipChallenge } from '../../contract/tips/tips.ts'
import type { Router } from '../../router.ts'

interface Proof {
  readonly challenge: string
  readonly solutions: readonly number[]
}

export function tipRoutes(router: Router, admission: TipAdmission): void {
  const { clock, config } = router.environment

  router.add(readTipChallenge, async ({ reply }) => {
    const challenges = await admission.challenges()
    const { text, seed, bits, issuedAt } = challenges.issue(config.TIP_PROOF_BITS, clock())
    const expires_at = new Date(issuedAt + CHALLENGE_LIFETIME_MS).toISOString()
    reply.header('cache-control', 'no-store')
    return { challenge: text, seed, bits, puzzles: PUZZLES, expires_at }
  })

  router.add(createTip, async ({ request, reply, body }) => {
    const { parts, challenge } = await admit(request, body.proof as Proof)
    const { text, type = null, occurred_at, lat = null, lng = null } = body
    const named = { place: line(body.place), state: line(body.state), lga: line(body.lga) }
    const contact = line(body.contact)
    const tip = { text, type, occurred_at, ...named, lat, lng, areaOnly: false, contact }
    const result = await receiveTip(parts, challenge, tip)
    if (result.outcome === 'wrong') throw invalidBody(result.errors)
    if (result.outcome === 'used') throw challengeUsed()
    reply.status(201)
    return { reference: result.reference, reference_days: config.TIP_CONTACT_DAYS }
  })

  router.add(addToTip, async ({ request, reply, body }) => {
    const { parts, challenge } = await admit(request, body.proof as Proof)
    const { reference, text } = body
    const outcome = await add(parts, challenge, { reference, text, contact: line(body.contact) })
    if (outcome === 'used') throw challengeUsed()
    if (outcome === 'unknown')
      throw new Problem('not_found', `No tip has this reference, or it is older than ${config.TIP_CONTACT_DAYS} days.`)
    if (outcome === 'too_many')
      throw new Problem('too_many_additions', `A tip takes ${MAX_ADDITIONS} additions. Send another tip.`)
    return reply.status(204).send()
  })

  async function admit(request: FastifyRequest, { challenge: text, solutions }: Proof) {
    const parts = await admission.partsFor(request, true)
    return { parts, challenge: solved(parts.challenges, text, solutions, parts.now) }
  }
}

/** Throws unless the challenge is ours, still valid, and solved. */
function solved(challenges: TipChallenges, text: string, solutions: readonly number[], now: number): Challenge {
  const challenge = challenges.read(text, now)
  if (challenge === null || challenge === 'expired') {
    const fault = challenge === null ? 'was not issued by this service' : 'has expired'
    throw invalidBody([{ pointer: '/proof/challenge', message: `${fault}: GET /v1/tips/challenge gives another` }])
  }
  if (!isSolved(challenge, solutions)) {
    const message = `must have for each puzzle n a number whose SHA-256 of "${challenge.seed}.n.number" begins with ${challenge.bits} zero bits`
    throw invalidBody([{ pointer: '/proof/solutions', message }])
  }
  return challenge
}

function challengeUsed(): Problem {
  return new Problem('challenge_used', 'The challenge was answered before, with other content.')
}

function line(text: string | null | undefined): string | null {
  return singleLine(text ?? '') || null
}
