import { type IssuedKey, type KeyRequest, openAccountIn, SELF_SERVICE_SCOPES } from '../../../accounts/keys.ts'
import { MailUnavailable, mailLink } from '../../../accounts/mail.ts'
import { SharedRateLimiter } from '../../../accounts/rate-limiter.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { sendAnswer } from '../../idempotency.ts'
import { addressSubject } from '../../requests/client.ts'
import type { RequestContext } from '../../router.ts'
import { type Environment, type Phase, publishSignUp, requireServices, servicesIfReady } from '../../services.ts'
import { countRequestedMails } from './mail-limit.ts'
import { issuedKeyAnswer } from './response.ts'

const HOUR_MS = 3_600_000

/** SIGNUPS_PER_HOUR for each client address. */
export class SignUpLimit {
  readonly #limiter: SharedRateLimiter
  readonly #limit: number
  readonly #environment: Environment

  constructor(environment: Environment, currentPhase: () => Phase) {
    const { config, clock } = environment
    this.#environment = environment
    this.#limit = config.SIGNUPS_PER_HOUR
    this.#limiter = new SharedRateLimiter({
      clock,
      quotas: () => servicesIfReady(currentPhase())?.store.quotas ?? null,
      windowMs: HOUR_MS,
    })
  }

  async countSignUp(address: string): Promise<void> {
    const limit = this.#limit
    const { allowed, resetsIn } = await this.#limiter.consume(`sign-up ${address}`, limit)
    if (allowed) return
    publishSignUp(this.#environment, 'refused')
    throw new Problem(
      'rate_limited',
      `One address may request ${limit} keys per hour. Use the key you have, or try again in ${resetsIn} s.`,
      {
        headers: { 'retry-after': String(resetsIn) },
      },
    )
  }
}

type SignUpRequest = Pick<RequestContext<Endpoint>, 'request' | 'reply' | 'storeWith'>

/** Gives a first key in the response or by mail, or refuses, as SIGNUP says. */
export async function signUp(
  environment: Environment,
  phase: Phase,
  limit: SignUpLimit,
  { request, reply, storeWith }: SignUpRequest,
  email: string | undefined,
  keyRequest: KeyRequest,
) {
  const { config, mailer, publicUrl, clock } = environment
  if (config.SIGNUP === 'closed')
    throw new Problem('signup_closed', 'The operator of this service issues keys by hand.')
  if (email === undefined) {
    throw new Problem('invalid_body', '/email is missing: it is needed in a request without a key.', {
      errors: [{ pointer: '/email', message: 'is missing' }],
    })
  }
  requireSelfService(keyRequest)
  await limit.countSignUp(addressSubject(request))
  const { store } = requireServices(phase)
  const owner = { email, name: keyRequest.name ?? null }
  if (config.SIGNUP === 'open') {
    const storeFor = (issued: IssuedKey) => storeWith(issuedKeyAnswer(issued))
    const issued = await openAccountIn(storeFor, owner, keyRequest, clock())
    publishSignUp(environment, 'opened')
    return sendAnswer(reply, issuedKeyAnswer(issued))
  }
  await countRequestedMails(store, config, email, addressSubject(request), clock())
  try {
    await mailLink(store, mailer!, publicUrl(), owner, clock())
  } catch (error) {
    if (!(error instanceof MailUnavailable)) throw error
    request.log.error({ err: error }, 'a mail could not be sent')
    throw new Problem('mail_unavailable', 'The mail with the link could not be sent.', {
      headers: { 'retry-after': '60' },
    })
  }
  publishSignUp(environment, 'mailed')
  reply.status(202)
  return { status: 'mailed' as const, detail: `A link to your key is on its way to ${email}. It works for 24 hours.` }
}

function requireSelfService({ kind = 'live', scopes = [] }: KeyRequest): void {
  const allowed = SELF_SERVICE_SCOPES[kind]
  if (scopes.every((scope) => allowed.includes(scope))) return
  const message = `can only be ${allowed.join(' and ')} for a new account; others come with a role that an admin gives`
  throw invalidBody([{ pointer: '/scopes', message, allowed }])
}
