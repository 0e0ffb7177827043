import type { FastifyInstance, FastifyRequest } from 'fastify'
import { redeemSignUp } from '../accounts/sign-in.ts'
import { type Environment, type Phase, publishSignUp, requireServices } from '../api/services.ts'
import { acceptForms } from './form.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'

const TITLE = 'Your key · Incident Feed'
const DESCRIPTION = 'A key for Incident Feed.'

/** The pages behind the mailed link. A button shows the key: mail scanners open links too. */
export function signUpPages(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  server.get('/signup/:token', (_request, reply) => {
    const body = html`<h1>Your key</h1><p>It is shown once. Have a safe place ready to store it.</p><form method="post"><button>Show my key</button></form>`
    return sendPage(reply, { title: TITLE, description: DESCRIPTION, body })
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
      return sendPage(reply.status(issued ? 200 : 404), { title: TITLE, description: DESCRIPTION, body, secret: true })
    })
  })
}
