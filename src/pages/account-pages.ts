import type { FastifyInstance, FastifyRequest } from 'fastify'
import { replacementCap } from '../accounts/keys.ts'
import { describeAccount, redeemKeyLink } from '../accounts/sign-in.ts'
import { limitOf } from '../api/auth/quotas.ts'
import { type Environment, type Phase, publishSignUp, requireServices } from '../api/services.ts'
import { type Html, html } from './html.ts'
import { acceptForms, sendPage } from './page.ts'

const BLOCKED = html`<h1>The account is blocked</h1><p>Ask the operator of this service.</p>`
const TOO_MANY = html`<h1>No key was issued</h1><p>The account has too many keys already. Revoke some, or ask the operator of this service to.</p>`

/** The two kinds of mailed links to a key, and the words of their pages. */
const PAGES = {
  sign_up: {
    path: '/signup/:token',
    title: 'Your key · Incident Feed',
    description: 'A key for Incident Feed.',
    question: html`<h1>Your key</h1><p>It is shown once. Have a safe place ready to store it.</p>`,
    use: html`<a href="/sign-in?next=/console">sign in to the console</a> with it for a first request, watches and deliveries.`,
    again: 'Request a new key with POST /v1/keys.',
  },
  recovery: {
    path: '/recover/:token',
    title: 'A new key · Incident Feed',
    description: 'A new key for an account at Incident Feed.',
    question: html`<h1>A new key</h1><p>It is shown once. Have a safe place ready to store it. Your other keys go on working.</p>`,
    use: html`<code>GET /v1/keys</code> lists the keys of the account: revoke those that you do not know with <code>DELETE /v1/keys/{id}</code>.`,
    again: 'Request another with POST /v1/sessions/link.',
  },
} as const

/**
 * The pages behind mailed links to a key. A button uses the link and shows the key: mail scanners
 * open links too.
 */
export function keyLinkPages(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  const { clock, config } = environment
  for (const purpose of ['sign_up', 'recovery'] as const) {
    const { path, title, description, question, use, again } = PAGES[purpose]

    server.get(path, (_request, reply) =>
      sendPage(reply, {
        title,
        description,
        body: html`${question}<form method="post"><button>Show my key</button></form>`,
      }),
    )

    server.register(async (form) => {
      acceptForms(form)
      form.post(path, async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
        const { status, body } = await issueKey(request.params.token)
        return sendPage(reply.status(status), { title, description, body, secret: true })
      })
    })

    async function issueKey(token: string): Promise<{ status: number; body: Html }> {
      const { store } = requireServices(currentPhase())
      const redeemed = await redeemKeyLink(
        store,
        purpose,
        token,
        (account) => replacementCap(limitOf(config, account, 'keys')),
        clock(),
      )
      if (redeemed === null)
        return {
          status: 404,
          body: html`<h1>This link is no longer valid</h1><p>It was used, or it is older than 24 hours. ${again}</p>`,
        }
      if (redeemed === 'blocked') return { status: 403, body: BLOCKED }
      if (typeof redeemed === 'string') return { status: 409, body: TOO_MANY }
      const { issued, account } = redeemed
      if (account.createdAt === issued.key.createdAt) publishSignUp(environment, 'opened')
      return {
        status: 200,
        body: html`<h1>Your key</h1><code class="key">${issued.text}</code><p>It is not shown again. Send it as <code>Authorization: Bearer &lt;key&gt;</code>; ${use}</p><p>It is a key of ${describeAccount(account)}.</p>`,
      }
    }
  }
}
