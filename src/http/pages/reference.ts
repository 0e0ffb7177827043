import type { FastifyInstance } from 'fastify'
import { createKey } from '../../contract/accounts/keys.ts'
import { ENDPOINTS, SCHEMAS } from '../../contract/contract.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ERRORS } from '../../domain/errors.ts'
import type { Parameter } from '../../query/filter/parameters.ts'
import type { Environment } from '../services.ts'
import { curlFor } from './curl.ts'
import { type Html, html, withCode } from './html.ts'
import { sendPage } from './page.ts'
import { schemaTable } from './schema-table.ts'

/** Serves the API reference, generated from the contract. */
export function referencePage(server: FastifyInstance, environment: Environment): void {
  server.get('/docs', (_request, reply) =>
    sendPage(reply, {
      title: 'Reference · Incident Feed',
      description: 'The Incident Feed API, version 1.',
      body: reference(environment.publicUrl()),
    }),
  )
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
<p>Ask with it. Every request carries it:</p>
<pre><code>curl '${publicUrl}/v1/incidents?state=kaduna&amp;since=24h' \\
  -H 'Authorization: Bearer &lt;key&gt;'</code></pre>
<p>All filters given must hold together. A parameter that is unknown, repeated or malformed is refused, never ignored, and the answer says what would be right. Follow <code>next_cursor</code> for more. Version 1 only ever grows: new fields, types and endpoints may appear, none will go.</p>
<p><code>RateLimit</code> says how many requests are left, <code>Retry-After</code> when to come back after a 429. A POST with an <code>Idempotency-Key</code> is done once within 24 hours, however often it is sent.</p>`
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
<p class="quiet">${scope === null ? 'Needs no key.' : html`Scope: <code>${scope}</code>.`}</p>
${parameterTable([...Object.entries(pathParameters).map(([name, text]): [string, Parameter] => [name, { description: text, example: '' }]), ...Object.entries<Parameter>(query)])}
${body ? html`<h3>Body</h3>${schemaTable(body)}` : null}
${[response, ...otherResponses].map((one) => html`<p>Answers ${one.status}: ${withCode(one.description)} ${one.schema ? typeLink(one.schema) : null}</p>`)}
${problems.length > 0 ? html`<p class="quiet">Refusals of its own: ${problems.map((code) => html`<a href="#error-${code}">${code}</a> `)}</p>` : null}
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
      html`<tr><td><code>${name}</code></td><td>${withCode(description)}${required ? ' Needed.' : null}${values ? html` <span class="quiet">${values.join(', ')}</span>` : null}</td><td>${example}</td></tr>`,
  )}</table></div>`
}

function errors(): Html {
  return html`<h2 id="errors">Errors</h2><p>RFC 9457, as <code>application/problem+json</code>: <code>code</code> is stable and for programs, <code>detail</code> and <code>errors</code> say what is wrong this time.</p>
<div class="scroll"><table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${Object.entries(ERRORS).map(
    ([code, { status, title, meaning }]) =>
      html`<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}. ${withCode(meaning)}</td></tr>`,
  )}</table></div>`
}
