import { TAGS, type Tag } from '../../api/contract/endpoint.ts'
import { ENDPOINTS } from '../../api/contract/reference.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { type Html, html } from '../html.ts'
import type { DocsPage } from './docs-page.ts'
import { tagPath } from './reference/reference-pages.ts'
import { requestSample } from './samples/sample-group.ts'
import { writtenRequest } from './samples/written-request.ts'

/**
 * The first page. It has an anchor for every endpoint and every error, because links and the `type`
 * of problem documents lead to `/docs#…`.
 */
export function overviewPage(guides: readonly DocsPage[]): DocsPage {
  return {
    path: '/docs',
    title: 'For developers',
    group: null,
    description: 'Guides and reference of the Incident Feed API, version 1.',
    write: ({ publicUrl }) => ({
      body: html`<h1>For developers</h1>
<p>Geocoded security incidents in Nigeria, over HTTP and JSON: lists, statistics and map tiles, signed webhooks, a live stream, and an archive of decades. Machine-readable: <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<h2 id="start">Two requests</h2>
<p>Get a key. It is shown once; keep it as <code>KEY</code> in the environment.</p>
${requestSample(writtenRequest('POST /v1/keys\n\n{ "email": "you@example.org" }', publicUrl), 'get-a-key', publicUrl)}
<p>Then ask for the incidents of the last seven days in Kaduna.</p>
${requestSample(writtenRequest('GET /v1/incidents?state=Kaduna&since=7d&limit=5', publicUrl), 'first-list', publicUrl)}
<h2 id="guides">Guides</h2>
<ul class="cards">${guides.map(({ path, title, description }) => html`<li><a href="${path}">${title}</a><span>${description}</span></li>`)}</ul>
<h2 id="reference">Reference</h2>
${(Object.keys(TAGS) as Tag[]).map(endpointList)}
<h2 id="error-codes">Errors</h2><p>Each <a href="/docs/errors">error</a> has a stable code:</p>
<p class="codes">${Object.keys(ERRORS).map((code) => html`<a id="error-${code}" href="/docs/errors#error-${code}">${code}</a> `)}</p>`,
      headings: [
        { id: 'start', text: 'Two requests', level: 2 },
        { id: 'guides', text: 'Guides', level: 2 },
        { id: 'reference', text: 'Reference', level: 2 },
        { id: 'error-codes', text: 'Errors', level: 2 },
      ],
      text: '',
    }),
  }
}

function endpointList(tag: Tag): Html {
  const endpoints = ENDPOINTS.filter((declared) => declared.tag === tag)
  return html`<h3><a href="${tagPath(tag)}">${tag}</a></h3><ul class="endpoints">${endpoints.map(
    ({ id, method, path, summary }) =>
      html`<li id="${id}"><a href="${tagPath(tag)}#${id}">${summary}</a> <span class="quiet">${method} ${path}</span></li>`,
  )}</ul>`
}
