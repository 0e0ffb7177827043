import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { RateLimiter, SharedRateLimiter } from '../accounts/rate-limiter.ts'
import { loadIncident } from '../desk/decision.ts'
import { type Challenge, isSolved, newTipSecret, TipChallenges } from '../desk/tips/challenges.ts'
import { addToTip as add, receiveTip, type TipParts } from '../desk/tips/receive-tip.ts'
import { invalidBody, Problem } from '../domain/errors.ts'
import { singleLine } from '../domain/summary.ts'
import { TYPE_NAMES } from '../domain/taxonomy.ts'
import {
  CHALLENGE_LIFETIME_MS,
  MAX_ADDITIONS,
  MAX_CONTACT_LENGTH,
  MAX_PLACE_LENGTH,
  MAX_SOLUTION,
  MAX_TIP_LENGTH,
  MIN_TIP_LENGTH,
  PUZZLES,
} from '../domain/tips.ts'
import type { Store, Tip as StoredTip } from '../store/store.ts'
import { rateLimited } from './auth/quotas.ts'
import { endpointsOf, ok } from './contract/endpoint.ts'
import { Closed, Count, NamedObject, Nullable, NullableText, OneOf, Text, Time } from './contract/schema.ts'
import { incidentId } from './desk/incident.ts'
import { addressSubject } from './request.ts'
import { timeResponse } from './response.ts'
import type { Router } from './router.ts'
import { type Environment, type Phase, requireServices, servicesIfReady } from './services.ts'

const endpoint = endpointsOf({ tag: 'Tips', scope: null })

const PROOF =
  `The proof of work: for each puzzle from 0 to ${PUZZLES - 1}, a whole number for which the SHA-256 of the text ` +
  '`<seed>.<puzzle>.<number>` begins with `bits` zero bits.'

const name = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: MAX_PLACE_LENGTH, description })))

const sentence = { minLength: MIN_TIP_LENGTH, maxLength: MAX_TIP_LENGTH }

const contact = Type.Optional(
  Nullable(
    Text('How editors can reach you. Only they see it; it is encrypted, and deleted after some days.', {
      maxLength: MAX_CONTACT_LENGTH,
    }),
  ),
)

NamedObject(
  'TipProof',
  {
    challenge: Text('The `challenge` of `GET /v1/tips/challenge`, unchanged.', { maxLength: 100 }),
    solutions: Type.Array(Type.Integer({ minimum: 0, maximum: MAX_SOLUTION - 1 }), {
      minItems: PUZZLES,
      maxItems: PUZZLES,
    }),
  },
  { additionalProperties: false, description: PROOF },
)

NamedObject('TipChallenge', {
  challenge: Type.String(),
  seed: Type.String(),
  bits: Type.Integer({ minimum: 1 }),
  puzzles: Type.Integer({ minimum: 1 }),
  expires_at: Time('Until when it can be answered.'),
})

const readTipChallenge = endpoint('readTipChallenge', 'GET /v1/tips/challenge', {
  summary: 'Get a challenge for a tip',
  description: `A challenge is good for one tip or addition. ${PROOF} An ordinary phone finds them in a second or two.`,
  response: ok('A challenge.', Type.Ref('TipChallenge')),
})

const example = {
  challenge: 'mh1q2w3e.14.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA',
  solutions: [8021, 113, 40411, 9003, 26, 17755, 5120, 661],
}

const createTip = endpoint('createTip', 'POST /v1/tips', {
  sample: null,
  summary: 'Send a tip to the desk',
  description:
    'For anybody: no key is needed, and the address of the client is not stored. A tip becomes a report in the queue of the desk (`origin: tip`); nothing of it is public unless an editor confirms it. ' +
    'The place is given by `lat` and `lng`, or by names; a name that could mean several places is refused with choices in `did_you_mean`, and one that is not known is kept as written if the state is given. ' +
    'Without `type` it is read from the text. The same request with the same challenge gets the same answer. Limited by address and overall. People use the page `/report`.',
  neverReplayed: true,
  body: Closed(
    {
      text: Type.String({ ...sentence, description: 'What happened.' }),
      type: Type.Optional(Nullable(OneOf(TYPE_NAMES, 'What happened; see `GET /v1/taxonomy`.'))),
      occurred_at: Type.String({
        maxLength: 40,
        description: 'The time of the event: an RFC 3339 time or a date, not in the future.',
      }),
      place: name('A settlement, a road or a description, such as `near Dansadau, Maru`.'),
      state: name('A name, ISO code or known alias.'),
      lga: name('A name, code or known alias.'),
      lat: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90, description: 'Rounded to three digits.' }))),
      lng: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
      contact,
      proof: Type.Ref('TipProof'),
    },
    {
      example: {
        text: 'Armed men stopped two buses and took people into the bush.',
        occurred_at: '2026-05-01T06:30:00+01:00',
        place: 'Dansadau',
        state: 'Zamfara',
        proof: example,
      },
    },
  ),
  response: {
    status: 201,
    description: 'The tip is with the desk.',
    schema: Type.Object({
      reference: Text('Needed to add something later. It is shown only here.'),
      reference_days: Type.Integer({ minimum: 1, description: 'The days for which it is known.' }),
    }),
  },
  problems: ['challenge_used', 'rate_limited'],
})

export const addToTip = endpoint('addToTip', 'POST /v1/tips/additions', {
  sample: null,
  summary: 'Add something to a tip',
  description: `The desk sees the addition beside the tip. At most ${MAX_ADDITIONS} for each tip. The same request with the same challenge is carried out once.`,
  neverReplayed: true,
  body: Closed(
    {
      reference: Type.String({ maxLength: 40, description: 'The reference number of the tip.' }),
      text: Type.String({ ...sentence, description: 'What is new.' }),
      contact,
      proof: Type.Ref('TipProof'),
    },
    {
      example: { reference: '4F7K-9XQ2-M3TB-0ZHC', text: 'All passengers of the first bus are free.', proof: example },
    },
  ),
  response: { status: 204, description: 'The addition is with the desk.', schema: null },
  problems: ['challenge_used', 'not_found', 'too_many_additions', 'rate_limited'],
})

NamedObject('Tip', {
  incident_id: Text('The report that the tip became.'),
  received_at: Time('When it was sent.'),
  contact: NullableText('How to reach whoever sent it; null if they did not say, or it was erased.'),
  kept_until: Time('When the contact and the reference number are deleted.'),
  additions: Count('How often something was added: notes in the history.'),
})

const listTips = endpoint('listTips', 'GET /v1/desk/incidents/{id}/tips', {
  summary: 'Read who sent the tips behind an incident',
  description:
    'The tip that became this incident, and those of the reports merged into it. The contact is in no other answer: not in lists, changes, webhooks, downloads, the history or the audit log.',
  pathParameters: incidentId,
  response: ok('The tips, oldest first.', Type.Object({ data: Type.Array(Type.Ref('Tip')) })),
  tag: 'Desk',
  scope: 'review',
})

interface Proof {
  readonly challenge: string
  readonly solutions: readonly number[]
}

export function tipRoutes(router: Router, admission: TipAdmission): void {
  const { clock, config } = router.environment

  router.add(readTipChallenge, async ({ reply }) => {
    const challenges = await admission.challenges()
    const { text, seed, bits, issuedAt } = challenges.issue(config.TIP_PROOF_BITS, clock())
    const expires_at = timeResponse(issuedAt + CHALLENGE_LIFETIME_MS)
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

  router.add(listTips, async ({ reply, parameters, services: { store } }) => {
    const { incident, moderation } = await loadIncident(parameters.id, store)
    const tips = await store.tips.ofIncidents([incident.id, ...(moderation.merged_from ?? [])])
    reply.header('cache-control', 'private, no-store')
    return { data: tips.map(tipResponse) }
  })

  function tipResponse({ incidentId, receivedAt, contact, additions }: StoredTip) {
    return {
      incident_id: incidentId,
      received_at: timeResponse(receivedAt),
      contact,
      kept_until: timeResponse(receivedAt + config.TIP_CONTACT_DAYS * DAY_MS),
      additions,
    }
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

const DAY_MS = 86_400_000

const HOUR_MS = 3_600_000
/** Without proof of work, a flood costs its sender nothing. */
const SHARE_WITHOUT_PROOF = 1 / 3

/**
 * The signed challenges and the limits of tips, which the page and the API share: TIPS_PER_HOUR for
 * each client address, TIPS_PER_HOUR_TOTAL for all. Addresses are counted in the memory of this
 * node only: nothing that tells who sent a tip is stored.
 */
export class TipAdmission {
  readonly #environment: Environment
  readonly #currentPhase: () => Phase
  readonly #addresses = new RateLimiter(HOUR_MS)
  readonly #total: SharedRateLimiter
  #loaded: { readonly store: Store; readonly challenges: TipChallenges } | null = null

  constructor(environment: Environment, currentPhase: () => Phase) {
    this.#environment = environment
    this.#currentPhase = currentPhase
    const store = () => servicesIfReady(currentPhase())?.store ?? null
    this.#total = new SharedRateLimiter({ ...environment, store, windowMs: HOUR_MS })
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
    const admit = () => this.#countTip(addressSubject(request), withProof)
    return { store, geography, challenges, now: clock(), admit }
  }

  /** Throws 429 above a limit. The address first: one address cannot use up the total of all. */
  async #countTip(address: string, withProof: boolean): Promise<void> {
    const { config, clock } = this.#environment
    const kind = withProof ? 'with proof' : 'without proof'
    const shareOf = (limit: number) => Math.floor(limit * (withProof ? 1 : SHARE_WITHOUT_PROOF))
    const ofAddress = this.#addresses.consume(`${kind} ${address}`, shareOf(config.TIPS_PER_HOUR), clock())
    if (!ofAddress.allowed)
      throw rateLimited('Too many tips came from this address within an hour.', ofAddress.resetsIn)
    const ofAll = await this.#total.consume(`tips ${kind}`, shareOf(config.TIPS_PER_HOUR_TOTAL))
    if (!ofAll.allowed) throw rateLimited('Too many tips came within an hour.', ofAll.resetsIn)
  }
}
