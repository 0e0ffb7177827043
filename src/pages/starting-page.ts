import type { FastifyReply } from 'fastify'
import { html } from './html.ts'
import { sendPage } from './page.ts'
import type { PageLanguage } from './page-language.ts'

const RETRY_AFTER_SECONDS = '2'

/** A million incidents take seconds to load; the `refresh` header makes the browser retry. */
export function sendStartingPage(reply: FastifyReply, words: PageLanguage): FastifyReply {
  const t = words.translate
  const body = html`<h1>${t('page.starting_title')}</h1><p>${t('page.starting')}</p>`
  reply.status(503).headers({ 'retry-after': RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS })
  return sendPage(reply, { title: t('page.title'), description: t('page.description'), body, words })
}
