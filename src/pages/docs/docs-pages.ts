import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIVE_FILE } from '../../api/caching.ts'
import { TAGS, type Tag } from '../../api/contract/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '../../api/contract/reference.ts'
import { queryOf } from '../../api/request.ts'
import { CachedBody, sendBytes } from '../../api/response.ts'
import type { Environment } from '../../api/services.ts'
import { ERRORS } from '../../domain/error-codes.ts'
import { SAMPLE_LANGUAGE_NAMES, type SampleLanguage } from '../../lib/code-samples.ts'
import { type Html, html } from '../html.ts'
import { StaticPage } from '../page.ts'
import { DOCS_STYLE, type DocsContext, type DocsPage, frame, HEAD_SCRIPT } from './docs-page.ts'
import { guidePages } from './guides.ts'
import { objectPath, referencePages, tagPath } from './reference.ts'
import { requestSample, writtenRequest } from './samples.ts'

/** Serves `/docs`: the guides and the reference in one frame, each page written once. */
export function docsPages(server: FastifyInstance, environment: Environment): void {
  const { config, mapAssets, publicUrl } = environment
  const guides = guidePages()
  const pages = [overviewPage(guides), ...guides, ...referencePages()]
  for (const page of pages) {
    const written = new Map<SampleLanguage, StaticPage>()
    server.get(page.path, (request, reply) => {
      const code = sampleLanguage(request)
      const one = written.get(code) ?? new StaticPage(() => write(page, code))
      written.set(code, one)
      return one.send(request, reply)
    })
  }

  function write(page: DocsPage, code: SampleLanguage) {
    return {
      title: `${page.title} · Incident Feed`,
      description: page.description,
      body: frame(page, pages, page.write({ config, publicUrl: publicUrl() })),
      style: DOCS_STYLE,
      // Both or neither: what needs the script is shown only if it will run.
      ...(mapAssets === null ? {} : { headScript: HEAD_SCRIPT, script: mapAssets.docs.script }),
      data: { code },
    }
  }

  let index: CachedBody | null = null
  server.get('/docs/search.json', (request, reply) => {
    index ??= new CachedBody(Buffer.from(JSON.stringify(searchIndex(guides, { config, publicUrl: publicUrl() }))))
    return sendBytes(request, reply, index, 'application/json; charset=utf-8', LIVE_FILE)
  })
}

/** The language that the address chooses, for readers without scripts. */
function sampleLanguage(request: FastifyRequest): SampleLanguage {
  const codes = new URLSearchParams(queryOf(request)).getAll('code')
  const code = codes.length === 1 ? codes[0]! : null
  return SAMPLE_LANGUAGE_NAMES.find((name) => name === code) ?? 'curl'
}

/**
 * The first page. It has an anchor for every endpoint and every error, because links and the `type`
 * of problem documents lead to `/docs#…`.
 */
function overviewPage(guides: readonly DocsPage[]): DocsPage {
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

/** Title, place in the documents, address, and further words that lead to it. */
export type SearchEntry = readonly [title: string, place: string, address: string, words: string]

/** All that the search of `/docs` finds; the browser reads it once. */
function searchIndex(guides: readonly DocsPage[], context: DocsContext): readonly SearchEntry[] {
  return [
    ...guides.flatMap((guide) => guideEntries(guide, context)),
    ...(Object.keys(TAGS) as Tag[]).flatMap((tag) =>
      ENDPOINTS.filter((declared) => declared.tag === tag).map(
        ({ id, method, path, summary, query = {} }): SearchEntry => [
          summary,
          `${method} ${path}`,
          `${tagPath(tag)}#${id}`,
          [id, ...Object.keys(query)].join(' '),
        ],
      ),
    ),
    ...Object.keys(SCHEMAS).map((name): SearchEntry => [name, 'Object', objectPath(name), '']),
    ...Object.entries(ERRORS).map(
      ([code, { status, title }]): SearchEntry => [code, `Error ${status}`, `/docs/errors#error-${code}`, title],
    ),
  ]
}

const MOST_WORDS = 600

function guideEntries({ path, title, write }: DocsPage, context: DocsContext): SearchEntry[] {
  const { headings, text } = write(context)
  const words = new Set(text.toLowerCase().match(/[a-z0-9_-]{4,}/g) ?? [])
  return [
    [title, 'Guide', path, [...words].slice(0, MOST_WORDS).join(' ')],
    ...headings
      .filter(({ level }) => level === 2)
      .map(({ id, text }): SearchEntry => [text, title, `${path}#${id}`, '']),
  ]
}
