import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AlertSentences, sentencesOf } from '../api/alerts/subscription-text.ts'
import { queryOf } from '../api/request.ts'
import { type Environment, type Phase, requireServices } from '../api/services.ts'
import { ALERTS_ACCOUNT_ID, LINK_VALID_MS } from '../deliveries/alerts/alerts.ts'
import { browserAlertOf } from '../deliveries/channels/browser-subscription.ts'
import { emailTargetOf, readLinkToken } from '../deliveries/channels/target.ts'
import { MAX_WATCHES_TOGETHER } from '../deliveries/combined-deliveries.ts'
import { addressOf } from '../deliveries/send/message.ts'
import type { Watch } from '../domain/watch.ts'
import { dayText } from '../lib/nigeria-time.ts'
import type { Store } from '../store/store.ts'
import { type Html, html } from './html.ts'
import { acceptForms, sendPage } from './page.ts'
import { type PageLanguage, pageLanguage } from './page-language.ts'

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

const MAX_FORM_BYTES = 1024
const STYLE = 'form+p{margin-top:16px}'

/**
 * Serves the links in mails. GET asks, because mail scanners open links too; POST at the link of
 * every mail ends the mails without a further question, a cookie or a redirect (RFC 8058).
 */
export function linkPages(server: FastifyInstance, { clock, config }: Environment, currentPhase: () => Phase): void {
  server.get('/alerts/:token', async (request: LinkRequest, reply) => {
    const { store } = requireServices(currentPhase())
    const words = await pageLanguage(request)
    const [link, ...others] = await findLinks(store, request)
    if (link === undefined) return send(reply, words, gone(words))
    if (others.length > 0) return send(reply, words, stopQuestion([link, ...others].map(shownLink), words))
    if (!isAlert(link.watch)) return send(reply, words, pauseQuestion(link.watch, words))
    const alert = await store.alerts.find(link.watch.id)
    return send(reply, words, endQuestion(link.target, alert?.confirmedAt ?? null, words))
  })

  server.get('/alerts/confirm/:token', async (request: LinkRequest, reply) => {
    const { store } = requireServices(currentPhase())
    const words = await pageLanguage(request)
    const link = await findLink(store, request.params.token)
    const alert = link && (await store.alerts.find(link.watch.id))
    if (link === null || alert === null) return send(reply, words, gone(words))
    if (alert.confirmedAt !== null)
      return send(reply, words, confirmed(link.target, sentencesOf(link.watch.filter), request.params.token, words))
    const isOpen = alert.createdAt >= clock() - LINK_VALID_MS
    return send(
      reply,
      words,
      isOpen ? confirmQuestion(link.target, sentencesOf(link.watch.filter), words) : gone(words),
    )
  })

  server.register(async (form) => {
    acceptForms(form)
    // Programs for mail may send the form in this form too; what it says is known.
    form.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_, __, done) =>
      done(null),
    )

    form.post('/alerts/:token', async (request: LinkRequest, reply) => {
      const { store } = requireServices(currentPhase())
      const words = await pageLanguage(request)
      const links = await findLinks(store, request)
      for (const { watch } of links) {
        const { id, accountId, status } = watch
        if (isAlert(watch)) await store.watches.remove(accountId, id)
        else if (status === 'active') await store.watches.change(accountId, id, { status: 'paused' }, clock())
      }
      const [link] = links
      if (link === undefined) return send(reply, words, gone(words))
      if (links.length > 1) return send(reply, words, stopped(links.map(shownLink), words))
      return send(
        reply,
        words,
        isAlert(link.watch) ? ended(link.target, link.watch.channel === 'webpush', words) : paused(link.watch, words),
      )
    })

    form.post('/alerts/confirm/:token', async (request: LinkRequest, reply) => {
      const { store } = requireServices(currentPhase())
      const words = await pageLanguage(request)
      const link = await findLink(store, request.params.token)
      if (link === null) return send(reply, words, gone(words))
      const now = clock()
      const max = config.ALERTS_PER_RECIPIENT
      const outcome = await store.alerts.confirm(link.watch.id, now - LINK_VALID_MS, max, now)
      if (outcome === null) return send(reply, words, gone(words))
      if (outcome === 'too_many') return send(reply, words, tooMany(max, words))
      return send(reply, words, confirmed(link.target, sentencesOf(link.watch.filter), request.params.token, words))
    })
  })
}

function isAlert({ accountId }: Watch): boolean {
  return accountId === ALERTS_ACCOUNT_ID
}

interface Link {
  readonly watch: Watch
  readonly target: { readonly key: string; readonly label: string | null }
  readonly token: string
}

function shownLink({ watch, target, token }: Link): ShownLink {
  return { name: target.label ?? watch.name, token }
}

/**
 * Finds the links of a mail for several watches: all whose tokens are in the address and still
 * count.
 */
async function findLinks(store: Pick<Store, 'watches'>, request: LinkRequest): Promise<Link[]> {
  const others = new URLSearchParams(queryOf(request)).get('and')?.split('.', MAX_WATCHES_TOGETHER - 1) ?? []
  const links = []
  for (const token of new Set([request.params.token, ...others])) links.push(await findLink(store, token))
  return links.filter((link) => link !== null)
}

/**
 * Null unless the token is in the mails that the watch sends now, or is that of an alert in a
 * browser.
 */
async function findLink(store: Pick<Store, 'watches'>, token: string): Promise<Link | null> {
  const link = readLinkToken(token)
  const watch = link && (await store.watches.find(null, link.watchId))
  if (!link || !watch) return null
  const target = targetOf(watch)
  return target !== null && isSame(target.key, link.key) ? { watch, target, token } : null
}

function targetOf({ channel, secrets }: Watch): Link['target'] | null {
  if (channel === 'email') return emailTargetOf(addressOf(secrets))
  return channel === 'webpush' ? browserAlertOf(addressOf(secrets)) : null
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function send(reply: FastifyReply, words: PageLanguage, { status, body }: Answer): FastifyReply {
  const t = words.translate
  const title = `${t('alerts.title')} · ${t('common.name')}`
  const description = t('alerts.description')
  return sendPage(reply.status(status), { title, description, body, words, style: STYLE, secret: true })
}

export interface Answer {
  readonly status: number
  readonly body: Html
}

type Words = Pick<PageLanguage, 'translate'>
/** The recipient of a message, in words. */
type Labelled = { readonly label: string | null }

function confirmQuestion({ label }: Labelled, sentences: AlertSentences, { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.confirm_heading')}</h1><p><strong>${label}</strong></p><p>${t(sentences.intro)}</p><form method="post"><button>${t('alerts.confirm')}</button></form><p class="quiet">${t(sentences.promise)}</p>`,
  )
}

function confirmed({ label }: Labelled, sentences: AlertSentences, token: string, { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.confirmed_heading')}</h1><p><strong>${label}</strong></p><p>${t(sentences.confirmed)}</p><p><a href="/alerts/${token}">${t('alerts.manage_heading')}</a></p>`,
  )
}

function tooMany(count: number, { translate: t }: Words): Answer {
  return {
    status: 409,
    body: html`<h1>${t('alerts.confirm_heading')}</h1><p>${t('alerts.too_many', { count })}</p>`,
  }
}

function endQuestion({ label }: Labelled, confirmedAt: number | null, { translate: t }: Words): Answer {
  const since =
    confirmedAt === null ? null : html`<p class="quiet">${t('alerts.since', { date: dayText(confirmedAt) })}</p>`
  return page(
    html`<h1>${t('alerts.manage_heading')}</h1><p><strong>${label}</strong></p>${since}<form method="post"><button>${t('alerts.end')}</button></form><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  )
}

function ended({ label }: Labelled, isBrowser: boolean, { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.ended_heading')}</h1><p><strong>${label}</strong></p><p>${t(isBrowser ? 'alerts.push_ended' : 'alerts.ended')}</p><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  )
}

function pauseQuestion(watch: Watch, words: Words): Answer {
  if (watch.status !== 'active') return paused(watch, words)
  const { translate: t } = words
  return page(
    html`<h1>${t('alerts.pause_heading', { name: watch.name })}</h1><p>${t('alerts.pause_note')}</p><form method="post"><button>${t('alerts.pause')}</button></form>`,
  )
}

function paused({ name }: Watch, { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.paused_heading')}</h1><p><strong>${name}</strong></p><p>${t('alerts.pause_note')} <a href="/sign-in?next=/console">${t('page.for_developers')}</a></p>`,
  )
}

/** A watch that a mail was for, with the page of its own. */
interface ShownLink {
  readonly name: string
  readonly token: string
}

/** Of a mail for several watches: one at a time, or all. */
function stopQuestion(links: readonly ShownLink[], { translate: t }: Words): Answer {
  const items = links.map(({ name, token }) => html`<li><a href="/alerts/${token}">${name}</a></li>`)
  return page(
    html`<h1>${t('alerts.title')}</h1><ul>${items}</ul><form method="post"><button>${t('alerts.stop_all')}</button></form>`,
  )
}

function stopped(links: readonly ShownLink[], { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.stopped_heading')}</h1><ul>${links.map(({ name }) => html`<li>${name}</li>`)}</ul><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  )
}

function gone({ translate: t }: Words): Answer {
  return {
    status: 404,
    body: html`<h1>${t('alerts.gone_heading')}</h1><p>${t('alerts.gone')}</p><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  }
}

function page(body: Html): Answer {
  return { status: 200, body }
}
