import { ERRORS } from '../../domain/error-codes.ts'
import { type Html, html, withCode } from '../html.ts'

/** Every error of the API by its status, with what to do about it. */
export function errorTable(): Html {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)
  return html`${[...byStatus].map(
    ([status, errors]) =>
      html`<h3 id="status-${status}">${status}</h3><dl class="errors">${errors.map(
        ([code, { title, meaning }]) =>
          html`<div id="error-${code}"><dt><code>${code}</code> ${title}</dt><dd>${withCode(meaning)}</dd></div>`,
      )}</dl>`,
  )}`
}
