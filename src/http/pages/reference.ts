import type { FastifyInstance } from 'fastify'
import { createKey } from '../../contract/accounts/keys.ts'
import { ENDPOINTS, SCHEMAS } from '../../contract/contract.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ERRORS } from '../../domain/error-codes/error-codes.ts'
import type { Parameter } from '../../query/filter/parameters.ts'
import type { Environment } from '../services.ts'
import { curlFor } from './curl.ts'
import { type Html, html, withCode } from './html.ts'
import { StaticPage } from './page.ts'
import { schemaTable } from './schema-table.ts'

export function referencePage(server: FastifyInstance, environment: Environment): void {
  const page = new StaticPage(() => ({
    title: 'Reference · Incident Feed',
    description: 'The Incident Feed API, version 1.',
    body: reference(environment.publicUrl()),
  }))
  server.get('/docs', (request, reply) => page.send(request, reply))
}

function reference(publicUrl: string): Html {
  return html`<div class="columns"><nav aria-label="Contents"><a href="#start">Start</a>${ENDPOINTS.map(
    ({ id, summary }) => html`<a href="#${id}">${summary}</a>`,
  )}<a href="#things">Things</a><a href="#errors">Errors</a></nav><div>
${start(publicUrl)}
<h2>Endpoints</h2>${ENDPOINTS.map((declared) => section(declared, publicUrl))}
<h2 id="things">Things</h2>${Object.entries(SCHEMAS).map(([name, schema]) => html`<section class="endpoint" id="thing-${name}"><h3>${name}</h3>${schemaTable(schema)}</section>`)}
${errors()}</div></div>`
}

function start(publicUrl: string): Html {
  return html`<h1 id="start">Reference</h1>
<p>Geocoded security incidents in Nigeria, over HTTP and JSON. Machine-readable: <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<p>Get a key. It is shown once:</p>
<pre><code>${curlFor(createKey, publicUrl)}</code></pre>
<p>Send it with every request:</p>
<pre><code>curl '${publicUrl}/v1/incidents?state=kaduna&amp;since=24h' \\
  -H 'Authorization: Bearer &lt;key&gt;'</code></pre>
<p>An incident must match all given filters. An unknown, repeated or malformed parameter is refused, never ignored, and the error says what is allowed. Follow <code>next_cursor</code> for the next page. Version 1 is only extended: fields, types and endpoints may be added, none will be removed.</p>
<p><code>RateLimit</code> has the number of requests that are left, <code>Retry-After</code> the seconds to wait after a 429. A POST with an <code>Idempotency-Key</code> runs once within 24 hours, even if it is sent several times, to several nodes, or across a crash; the last 10,000 answers of an account are kept.</p>`
}

function section(declared: Endpoint, publicUrl: string): Html {
  const {
    id,
    method,
    path,
    aliases = [],
    summary,
    description,
    scope,
    query = {},
    pathParameters = {},
    body,
    response,
    otherResponses = [],
    problems = [],
  } = declared
  return html`<section class="endpoint" id="${id}"><h3>${summary}</h3>
<p><span class="method">${method}</span> <code>${path}</code>${aliases.map((alias) => html` or <code>${alias}</code>`)}</p>
${description ? html`<p>${withCode(description)}</p>` : null}
<p class="quiet">${scope === null ? 'No key required.' : html`Scope: <code>${scope}</code>.`}</p>
${parameterTable([...Object.entries(pathParameters).map(([name, text]): [string, Parameter] => [name, { description: text, example: '' }]), ...Object.entries<Parameter>(query)])}
${body ? html`<h3>Body</h3>${schemaTable(body)}` : null}
${[response, ...otherResponses].map((one) => html`<p>Response ${one.status}: ${withCode(one.description)} ${one.schema ? typeLink(one.schema) : null}</p>`)}
${problems.length > 0 ? html`<p class="quiet">Errors of this endpoint: ${problems.map((code) => html`<a href="#error-${code}">${code}</a> `)}</p>` : null}
<pre><code>${curlFor(declared, publicUrl)}</code></pre></section>`
}

function typeLink(schema: object): Html | null {
  const name = (schema as { $ref?: string }).$ref
  return name ? html`<a href="#thing-${name}">${name}</a>` : null
}

function parameterTable(parameters: readonly [string, Parameter][]): Html | null {
  if (parameters.length === 0) return null
  return html`<div class="scroll"><table><tr><th>Parameter</th><th>Meaning</th><th>Example</th></tr>${parameters.map(
    ([name, { description, example, values, required }]) =>
      html`<tr><td><code>${name}</code></td><td>${withCode(description)}${required ? ' Required.' : null}${values ? html` <span class="quiet">${values.join(', ')}</span>` : null}</td><td>${example}</td></tr>`,
  )}</table></div>`
}

function errors(): Html {
  return html`<h2 id="errors">Errors</h2><p>RFC 9457, as <code>application/problem+json</code>: <code>code</code> is stable and meant for programs; <code>detail</code> and <code>errors</code> describe this error.</p>
<div class="scroll"><table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${Object.entries(ERRORS).map(
    ([code, { status, title, meaning }]) =>
      html`<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}. ${withCode(meaning)}</td></tr>`,
  )}</table></div>`
}
