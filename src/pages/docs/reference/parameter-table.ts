import type { Endpoint, PathParameter } from '../../../api/contract/endpoint.ts'
import type { Parameter } from '../../../filter/parameters.ts'
import { type Html, html, withCode } from '../../html.ts'

interface Row {
  readonly name: string
  readonly description: string
  readonly example: string
  readonly values?: readonly string[]
  readonly required: boolean
}

/** One row for each parameter of the path and of the query. */
export function parameterTable({ pathParameters = {}, query = {} }: Endpoint): Html | null {
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
