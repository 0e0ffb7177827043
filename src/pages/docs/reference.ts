import type { TSchema } from 'typebox'
import { type Endpoint, type PathParameter, requirementSentence, TAGS, type Tag } from '../../api/contract/endpoint.ts'
import { ENDPOINTS, SCHEMAS } from '../../api/contract/reference.ts'
import type { Parameter } from '../../filter/parameters.ts'
import { type Html, html, withCode } from '../html.ts'
import type { DocsPage } from './docs-page.ts'
import { endpointRequest, requestSample } from './samples.ts'

const GROUP = 'Reference'

/** One page for each group of endpoints, and one for the objects that they share. */
export function referencePages(): readonly DocsPage[] {
  return [...(Object.keys(TAGS) as Tag[]).map(tagPage), objectsPage()]
}

export function tagPath(tag: Tag): string {
  return `/docs/reference/${tag.toLowerCase()}`
}

function tagPage(tag: Tag): DocsPage {
  const endpoints = ENDPOINTS.filter((declared) => declared.tag === tag)
  return {
    path: tagPath(tag),
    title: tag,
    group: GROUP,
    description: TAGS[tag],
    write: ({ publicUrl }) => ({
      body: html`<h1>${tag}</h1><p>${TAGS[tag]}</p>${endpoints.map((declared) => endpointSection(declared, publicUrl))}`,
      headings: endpoints.map(({ id, summary }) => ({ id, text: summary, level: 2 })),
      text: '',
    }),
  }
}

function objectsPage(): DocsPage {
  const names = Object.keys(SCHEMAS)
  return {
    path: '/docs/reference/objects',
    title: 'Objects',
    group: GROUP,
    description: 'The objects of the API and their fields.',
    write: () => ({
      body: html`<h1>Objects</h1><p>The objects that requests and responses are made of. Unknown values are <code>null</code>; new fields may be added.</p>${Object.entries(
        SCHEMAS,
      ).map(
        ([name, schema]) =>
          html`<section class="endpoint" id="thing-${name}"><h2>${name} <a class="anchor" href="#thing-${name}" aria-label="Link to this object">#</a></h2>${schemaTable(schema)}</section>`,
      )}`,
      headings: names.map((name) => ({ id: `thing-${name}`, text: name, level: 2 })),
      text: '',
    }),
  }
}

/** All that the contract says about one endpoint, and its request as code. */
function endpointSection(declared: Endpoint, publicUrl: string): Html {
  const { id, method, path, aliases = [], summary, description } = declared
  const { body, response, otherResponses = [], problems = [] } = declared
  const request = endpointRequest(declared, publicUrl)
  return html`<section class="endpoint" id="${id}"><h2>${summary} <a class="anchor" href="#${id}" aria-label="Link to this endpoint">#</a></h2>
<p><span class="method">${method}</span> <code>${path}</code>${aliases.map((alias) => html` or <code>${alias}</code>`)}</p>
${description ? html`<p>${withCode(description)}</p>` : null}
<p class="quiet">${withCode(requirementSentence(declared))}</p>
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

interface Row {
  readonly name: string
  readonly description: string
  readonly example: string
  readonly values?: readonly string[]
  readonly required: boolean
}

/** One row for each parameter of the path and of the query. */
function parameterTable({ pathParameters = {}, query = {} }: Endpoint): Html | null {
  const rows: readonly Row[] = [
    ...Object.entries<PathParameter>(pathParameters).map(([name, parameter]) => ({
      name,
      description: typeof parameter === 'string' ? parameter : parameter.description,
      example: '',
      required: true,
    })),
    ...Object.entries<Parameter>(query).map(([name, parameter]) => ({
      ...parameter,
      name,
      required: parameter.required === true,
    })),
  ]
  if (rows.length === 0) return null
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Parameter</th><th scope="col">Meaning</th><th scope="col">Example</th></tr></thead><tbody>${rows.map(
    ({ name, description, example, values, required }) =>
      html`<tr><td><code>${name}</code></td><td>${withCode(description)}${required ? ' Required.' : null}${values ? html` <span class="quiet">${values.join(', ')}</span>` : null}</td><td>${example}</td></tr>`,
  )}</tbody></table></div>`
}

interface SchemaNode {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly $ref?: string
  /** Shown instead, where the handler checks. */
  readonly documentedAs?: SchemaNode
}

/** The address that describes an object of the contract. */
export function objectPath(name: string): string {
  return `/docs/reference/objects#thing-${name}`
}

/** One row per field of an object. */
function schemaTable(schema: TSchema): Html {
  const { properties = {}, required = [], description } = schema as SchemaNode
  return html`${description ? html`<p>${withCode(description)}</p>` : null}<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${Object.entries(
    properties,
  ).map(
    ([name, field]) =>
      html`<tr><td><code>${name}</code>${required.includes(name) ? null : html` <span class="quiet">optional</span>`}</td><td>${typeOf(field)}</td><td>${withCode(meaningOf(field))}</td></tr>`,
  )}</tbody></table></div>`
}

function typeOf(schema: SchemaNode): Html {
  if (schema.documentedAs) return typeOf(schema.documentedAs)
  if (schema.$ref) return html`<a href="${objectPath(schema.$ref)}">${schema.$ref}</a>`
  if (schema.anyOf) return html`${schema.anyOf.map((one, index) => html`${index > 0 ? ' or ' : ''}${typeOf(one)}`)}`
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  if (schema.format === 'date-time') return html`time`
  return html`${schema.type ?? ''}`
}

function meaningOf(schema: SchemaNode): string {
  const own = schema.description ?? schema.anyOf?.find((one) => one.description)?.description ?? ''
  const values = schema.enum ?? schema.items?.enum ?? schema.anyOf?.find((one) => one.enum)?.enum
  return values ? `${own} ${values.map((value) => `\`${value}\``).join(' ')}` : own
}
