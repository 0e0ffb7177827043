import type { FastifyInstance, FastifyRequest } from 'fastify'
import { replacementCap } from '../accounts/keys.ts'
import { findRecovery, redeemRecovery, redeemSignUp } from '../accounts/sign-in.ts'
import { limitOf } from '../api/auth/quotas.ts'
import { type Environment, type Phase, publishSignUp, requireServices } from '../api/services.ts'
import type { Account } from '../domain/accounts.ts'
import { type Html, html } from './html.ts'
import { acceptForms, sendPage } from './page.ts'

const SIGN_UP_TITLE = 'Your key · Incident Feed'
const SIGN_UP_DESCRIPTION = 'A key for Incident Feed.'

/** The pages behind the mailed link. A button shows the key: mail scanners open links too. */
export function signUpPages(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  server.get('/signup/:token', (_request, reply) => {
    const body = html`<h1>Your key</h1><p>It is shown once. Have a safe place ready to store it.</p><form method="post"><button>Show my key</button></form>`
    return sendPage(reply, { title: SIGN_UP_TITLE, description: SIGN_UP_DESCRIPTION, body })
  })

  server.register(async (form) => {
    acceptForms(form)
    form.post('/signup/:token', async (request: FastifyRequest<{ Params: { token: string } }>, reply) => {
      const { store } = requireServices(currentPhase())
      const issued = await redeemSignUp(store, request.params.token, environment.clock())
      if (issued !== null) publishSignUp(environment, 'opened')
      const body = issued
        ? html`<h1>Your key</h1><code class="key">${issued.text}</code><p>It is not shown again. Send it as <code>Authorization: Bearer &lt;key&gt;</code>; <a href="/sign-in?next=/console">sign in to the console</a> with it for a first request, watches and deliveries.</p>`
        : html`<h1>This link is no longer valid</h1><p>It was used, or it is older than 24 hours. Request a new key with <code>POST /v1/keys</code>.</p>`
      return sendPage(reply.status(issued ? 200 : 404), {
        title: SIGN_UP_TITLE,
        description: SIGN_UP_DESCRIPTION,
        body,
        secret: true,
      })
    })
  })
}

const RECOVERY_TITLE = 'A new key · Incident Feed'
const RECOVERY_DESCRIPTION = 'A new key for an account at Incident Feed.'
/** Accounts offered to choose from. */
const MAX_CHOICES = 100

const GONE = html`<h1>This link is no longer valid</h1><p>It was used, or it is older than 24 hours. Request another with <code>POST /v1/sessions/link</code>.</p>`
const NO_ACCOUNT = html`<h1>There is no account</h1><p>The account of this address is blocked or gone. Ask the operator of this service.</p>`
const TOO_MANY = html`<h1>No key was issued</h1><p>The account has too many keys already. Ask the operator of this service to revoke some.</p>`

/**
 * The pages behind a mailed link to a new key. Only the form uses the link: scanners open links.
 */
export function recoveryPages(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  const { clock, config } = environment

  server.get('/recover/:token', (_request, reply) => {
    const body = html`<h1>A new key</h1><p>It is shown once. Have a safe place ready to store it. Your other keys go on working.</p><form method="post"><button>Show my key</button></form>`
    return sendPage(reply, { title: RECOVERY_TITLE, description: RECOVERY_DESCRIPTION, body })
  })

  server.register(async (form) => {
    acceptForms(form)
    form.post(
      '/recover/:token',
      async (request: FastifyRequest<{ Params: { token: string }; Body: URLSearchParams | undefined }>, reply) => {
        const { token } = request.params
        const { store } = requireServices(currentPhase())
        const { status, body } = await issueKey(token, request.body?.get('account') ?? null)
        return sendPage(reply.status(status), {
          title: RECOVERY_TITLE,
          description: RECOVERY_DESCRIPTION,
          body,
          secret: true,
        })

        async function issueKey(token: string, chosen: string | null): Promise<{ status: number; body: Html }> {
          const accounts = await findRecovery(store, token, clock())
          if (accounts === null) return { status: 404, body: GONE }
          if (accounts.length === 0) return { status: 403, body: NO_ACCOUNT }
          const account = accounts.length === 1 ? accounts[0]! : accounts.find(({ id }) => id === chosen)
          if (account === undefined) return { status: 200, body: choices(accounts.slice(0, MAX_CHOICES)) }
          const cap = replacementCap(limitOf(config, account, 'keys'))
          const issued = await redeemRecovery(store, token, account, cap, clock())
          if (issued === null) return { status: 404, body: GONE }
          if (typeof issued === 'string') return { status: 409, body: TOO_MANY }
          return {
            status: 200,
            body: html`<h1>Your key</h1><code class="key">${issued.text}</code><p>It is not shown again. Send it as <code>Authorization: Bearer &lt;key&gt;</code>. <code>GET /v1/keys</code> lists the keys of the account: revoke those that you do not know with <code>DELETE /v1/keys/{id}</code>.</p>`,
          }
        }
      },
    )
  })
}

/** Without the accounts' names: anyone can open an account with this address and any name. */
function choices(accounts: readonly Account[]): Html {
  const options = accounts.map(({ id, role, createdAt, emailVerifiedAt }, index) => {
    const proved = emailVerifiedAt === null ? 'address never confirmed' : 'address confirmed'
    const checked = index === 0 ? html` checked` : html``
    return html`<p><label><input type="radio" name="account" value="${id}"${checked}> ${id}, ${role}, opened ${new Date(createdAt).toISOString().slice(0, 10)}, ${proved}</label></p>`
  })
  return html`<h1>Which account?</h1><p>Several accounts were opened with this address. Anyone could have opened those whose address was never confirmed.</p><form method="post">${options}<button>Show my key</button></form>`
}
