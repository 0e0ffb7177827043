import type { TSchema } from 'typebox'
import { type Html, html, withCode } from './html.ts'

interface Described {
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Described[]
  readonly items?: Described
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
  readonly $ref?: string
}

/** The fields of an object, one a row. */
export function schemaTable(schema: TSchema): Html {
  const { properties = {}, required = [], description } = schema as Described
  return html`${description ? html`<p>${withCode(description)}</p>` : null}<div class="scroll"><table><tr><th>Field</th><th>Type</th><th>Meaning</th></tr>${Object.entries(
    properties,
  ).map(
    ([name, field]) =>
      html`<tr><td><code>${name}</code>${required.includes(name) ? null : html` <span class="quiet">optional</span>`}</td><td>${typeOf(field)}</td><td>${withCode(meaningOf(field))}</td></tr>`,
  )}</table></div>`
}

function typeOf(schema: Described): Html {
  if (schema.$ref) return html`<a href="#thing-${schema.$ref}">${schema.$ref}</a>`
  if (schema.anyOf) return html`${schema.anyOf.map((one, index) => html`${index > 0 ? ' or ' : ''}${typeOf(one)}`)}`
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  if (schema.format === 'date-time') return html`time`
  return html`${schema.type ?? ''}`
}

function meaningOf(schema: Described): string {
  const own = schema.description ?? schema.anyOf?.find((one) => one.description)?.description ?? ''
  const values = schema.enum ?? schema.items?.enum ?? schema.anyOf?.find((one) => one.enum)?.enum
  return values ? `${own} ${values.map((value) => `\`${value}\``).join(' ')}` : own
}
