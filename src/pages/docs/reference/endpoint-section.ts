import type { Endpoint } from '../../../api/contract/endpoint.ts'
import { type Html, html, withCode } from '../../html.ts'
import { endpointRequest } from '../samples/endpoint-request.ts'
import { requestSample } from '../samples/sample-group.ts'
import { parameterTable } from './parameter-table.ts'
import { objectPath, schemaTable } from './schema-table.ts'

/** All that the contract says about one endpoint, and its request as code. */
export function endpointSection(declared: Endpoint, publicUrl: string): Html {
  const { id, method, path, aliases = [], summary, description, scope } = declared
  const { body, response, otherResponses = [], problems = [] } = declared
  const request = endpointRequest(declared, publicUrl)
  return html`<section class="endpoint" id="${id}"><h2>${summary} <a class="anchor" href="#${id}" aria-label="Link to this endpoint">#</a></h2>
<p><span class="method">${method}</span> <code>${path}</code>${aliases.map((alias) => html` or <code>${alias}</code>`)}</p>
${description ? html`<p>${withCode(description)}</p>` : null}
<p class="quiet">${scope === null ? 'No key required.' : html`Scope: <code>${scope}</code>.`}</p>
${request === null ? null : requestSample(request, `${id}-sample`, publicUrl)}
${parameterTable(declared)}
${body ? html`<h3>Body</h3>${schemaTable(body)}` : null}
${[response, ...otherResponses].map((one) => html`<p>Response ${one.status}: ${withCode(one.description)} ${one.schema ? objectLink(one.schema) : null}</p>`)}
${problems.length > 0 ? html`<p class="quiet">Errors of this endpoint: ${problems.map((code) => html`<a href="/docs/errors#error-${code}">${code}</a> `)}</p>` : null}</section>`
}

function objectLink(schema: object): Html | null {
  const name = (schema as { $ref?: string }).$ref
  return name ? html`<a href="${objectPath(name)}">${name}</a>` : null
}
