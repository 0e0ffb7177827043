import type { FastifyReply, FastifyRequest } from 'fastify'
import { english } from '../../../i18n/translate.ts'
import { asksForPage } from '../../requests/accept.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'

/** Answers an unknown path for people; the API's own paths answer with a problem to everybody. */
export function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (!asksForPage(request) || request.url.startsWith('/v1/')) return false
  const body = html`<h1>${english('page.not_found_title')}</h1><p>${english('page.not_found')}</p><p><a href="/">${english('page.to_the_map')}</a></p>`
  sendPage(reply.status(404).header('vary', 'Accept, Authorization'), {
    title: english('page.not_found_title'),
    description: english('page.not_found'),
    body,
  })
  return true
}
