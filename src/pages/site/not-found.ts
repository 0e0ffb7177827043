import type { FastifyReply, FastifyRequest } from 'fastify'
import { asksForPage } from '../../api/requests/negotiation.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { type PageLanguage, pageLanguage, pathInLanguage } from '../page-language.ts'

/** Answers an unknown path for people; the API's own paths answer with a problem to everybody. */
export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (!asksForPage(request) || request.url.startsWith('/v1/')) return false
  pageLanguage(request).then(
    (language) => send(reply, language),
    (error: Error) => reply.send(error),
  )
  return true
}

function send(reply: FastifyReply, language: PageLanguage): void {
  const t = language.translate
  const body = html`<h1>${t('page.not_found_title')}</h1><p>${t('page.not_found')}</p><p><a href="${pathInLanguage('/', language)}">${t('page.to_the_map')}</a></p>`
  const page = { title: t('page.not_found_title'), description: t('page.not_found'), body, words: language }
  sendPage(reply.status(404), page, 'Accept, Accept-Language, Authorization')
}
