import type { FastifyInstance } from 'fastify'
import type { Archive } from '../../archive/archive.ts'
import { EVERYTHING } from '../../domain/filter/filter.ts'
import type { Incident } from '../../domain/incident.ts'
import { archiveOf, type Dependencies } from '../dependencies.ts'
import { ago } from './ago.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'

const NEWEST = 50

/** The newest incidents, as a plain list that any browser on any line can show. */
export function frontPage(server: FastifyInstance, dependencies: Dependencies): void {
  server.get('/', (_request, reply) => {
    const archive = archiveOf(dependencies)
    const now = dependencies.clock()
    const incidents = newest(archive)
    const first = incidents[0]
    const body = html`<h1>Security incidents in Nigeria</h1>
<p class="quiet">${archive.size.toLocaleString('en')} incidents${first ? `, the newest ${ago(first.published_at!, now)}` : ''}. Developers: <a href="/docs">get a key in a minute</a>.</p>
${first ? html`<ol class="incidents">${incidents.map((incident) => row(incident, now))}</ol>` : html`<p>No incident has been published yet.</p>`}`
    return sendPage(reply, {
      title: 'Incident Feed',
      description: 'Geocoded security incidents in Nigeria, as they are confirmed.',
      body,
    })
  })
}

function newest(archive: Archive): Incident[] {
  const { slots } = archive.find({ filter: EVERYTHING, order: 'newest', limit: NEWEST, after: null, now: 0 })
  return slots.map((slot) => archive.incident(slot))
}

function row(incident: Incident, now: number) {
  const where = incident.lga === null ? incident.state : `${incident.lga}, ${incident.state}`
  const confidence = `confidence ${Math.round(incident.confidence * 100)} %`
  return html`<li><span class="mark ${incident.severity}" title="${incident.severity}"></span><span>${incident.summary}</span>
<span class="meta quiet">${where} · <time datetime="${incident.published_at!}">${ago(incident.published_at!, now)}</time> · ${incident.severity} · ${confidence}</span></li>`
}
