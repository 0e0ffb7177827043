import type { TSchema } from 'typebox'
import { type Html, html, withCode } from '../../html.ts'

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

/** Where an object of the contract is described. */
export function objectPath(name: string): string {
  return `/docs/reference/objects#thing-${name}`
}

/** One row per field of an object. */
export function schemaTable(schema: TSchema): Html {
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
