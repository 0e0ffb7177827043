import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { emailTargetOf, readLinkToken } from '../../../channels/email-target.ts'
import type { Watch } from '../../../domain/watch.ts'
import type { Store } from '../../../store/store.ts'
import { addressOf } from '../../../webhooks/send/channel-message.ts'
import { type Environment, type Phase, requireServices } from '../../services.ts'
import { acceptForms } from '../form.ts'
import { type Html, html } from '../html.ts'
import { sendPage } from '../page.ts'
import { type PageLanguage, pageLanguage } from '../page-language.ts'

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

const MAX_FORM_BYTES = 1024

/**
 * Serves the link in every mail. GET asks, because mail scanners open links too; POST ends the mails
 * without a further question, a cookie or a redirect (RFC 8058).
 */
export function linkPage(server: FastifyInstance, { clock }: Environment, currentPhase: () => Phase): void {
  server.get('/alerts/:token', async (request: LinkRequest, reply) => {
    const { store } = requireServices(currentPhase())
    const language = await pageLanguage(request)
    const watch = await watchOfLink(store, request.params.token)
    return send(reply, language, watch === null ? gone(language) : question(watch, language))
  })

  server.register(async (form) => {
    acceptForms(form)
    // Programs for mail may send the form in this form too; what it says is known.
    form.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_, __, done) =>
      done(null),
    )
    form.post('/alerts/:token', async (request: LinkRequest, reply) => {
      const { store } = requireServices(currentPhase())
      const language = await pageLanguage(request)
      const watch = await watchOfLink(store, request.params.token)
      if (watch === null) return send(reply, language, gone(language))
      if (watch.status === 'active')
        await store.watches.change(watch.accountId, watch.id, { status: 'paused' }, clock())
      return send(reply, language, paused(watch, language))
    })
  })
}

/** Null unless the token is in the mails that the watch sends now. */
async function watchOfLink(store: Pick<Store, 'watches'>, token: string): Promise<Watch | null> {
  const link = readLinkToken(token)
  const watch = link && (await store.watches.find(null, link.watchId))
  if (!link || watch?.channel !== 'email') return null
  const target = emailTargetOf(addressOf(watch.secrets))
  return target !== null && isSame(target.key, link.key) ? watch : null
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

interface Answer {
  readonly status: number
  readonly body: Html
}

function question(watch: Watch, { translate: t }: PageLanguage): Answer {
  if (watch.status !== 'active') return paused(watch, { translate: t })
  const body = html`<h1>${t('alerts.pause_heading', { name: watch.name })}</h1><p>${t('alerts.pause_note')}</p><form method="post"><button>${t('alerts.pause')}</button></form>`
  return { status: 200, body }
}

function paused(watch: Watch, { translate: t }: Pick<PageLanguage, 'translate'>): Answer {
  const body = html`<h1>${t('alerts.paused_heading')}</h1><p>${watch.name}</p><p>${t('alerts.pause_note')} <a href="/sign-in?next=/console">${t('page.for_developers')}</a></p>`
  return { status: 200, body }
}

function gone({ translate: t }: PageLanguage): Answer {
  return { status: 404, body: html`<h1>${t('alerts.gone_heading')}</h1><p>${t('alerts.gone')}</p>` }
}

function send(reply: FastifyReply, words: PageLanguage, { status, body }: Answer): FastifyReply {
  const t = words.translate
  const title = `${t('alerts.title')} · ${t('common.name')}`
  return sendPage(reply.status(status), { title, description: t('alerts.description'), body, words, secret: true })
}
