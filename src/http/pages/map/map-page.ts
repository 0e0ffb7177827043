import type { FastifyInstance, FastifyReply } from 'fastify'
import { ago } from '../../../lib/time/ago.ts'
import { RequestAsker } from '../../requests/asker.ts'
import { queryOf } from '../../requests/parameters.ts'
import type { Environment, Phase } from '../../services.ts'
import { html } from '../html.ts'
import { sendPage } from '../page.ts'
import { json, sendMapDocument } from './document.ts'
import { newestFor } from './newest.ts'
import { plainList } from './plain-list.ts'

const TITLE = 'Incident Feed: security incidents in Nigeria'
const DESCRIPTION =
  'A live map of confirmed security incidents in Nigeria: where, when, how severe, and how sure that is.'

/** Serves the map. Until its scripts have loaded, the page lists the newest incidents. */
export function mapPage(server: FastifyInstance, environment: Environment, currentPhase: () => Phase): void {
  server.get('/', async (request, reply) => {
    const current = currentPhase()
    if (current.phase === 'starting') return sendStarting(reply)
    const { archive } = current.services
    const now = environment.clock()
    const newest = await newestFor(
      current.services,
      new URLSearchParams(queryOf(request)),
      environment,
      new RequestAsker(request, reply),
    )
    const first = newest.incidents[0]
    const body = html`<h1>Security incidents in Nigeria</h1>
<p class="quiet">${archive.size.toLocaleString('en')} incidents in all${first ? `; the newest ${ago(first.published_at!, now)}` : ''}. Only confirmed incidents are shown.</p>
<noscript><p class="quiet">The map needs JavaScript. Without it, the newest incidents are listed below.</p></noscript>
${plainList(newest.incidents, now)}`
    return sendMapDocument(request, reply, environment, current.services, {
      status: 200,
      title: TITLE,
      description: DESCRIPTION,
      path: '/',
      body,
      initialData: { list: newest.json, misread: json(newest.misread) },
    })
  })
}

const RETRY_AFTER_SECONDS = '2'

/** A million incidents take seconds to load; the `refresh` header makes the browser retry. */
function sendStarting(reply: FastifyReply): FastifyReply {
  const body = html`<h1>The service is starting</h1><p>The incidents are being loaded. This page reloads by itself in a few seconds.</p>`
  reply.status(503).headers({ 'retry-after': RETRY_AFTER_SECONDS, refresh: RETRY_AFTER_SECONDS })
  return sendPage(reply, { title: TITLE, description: DESCRIPTION, body })
}
