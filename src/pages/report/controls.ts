import { type Html, html } from '../html.ts'
import type { PageLanguage } from '../page-language.ts'
import type { Fault } from './faults.ts'
import type { Field, FormValues } from './form-values.ts'

/** What every form of these pages needs. */
export interface FormContext {
  readonly words: PageLanguage
  /** The challenge that the form answers. */
  readonly challenge: string
  readonly faults: readonly Fault[]
  /** TIP_CONTACT_DAYS */
  readonly days: number
}

/** One labelled control, with its hint and its fault beneath it. */
export function field(
  context: FormContext,
  name: Field,
  label: string,
  control: (attributes: Html) => Html,
  hint: string | null = null,
): Html {
  const fault = context.faults.find((each) => each.field === name)
  const described = [...(hint === null ? [] : [`${name}-hint`]), ...(fault ? [`${name}-fault`] : [])].join(' ')
  const attributes = html`id="${name}" name="${name}"${described === '' ? null : html` aria-describedby="${described}"`}${fault ? html` aria-invalid="true"` : null}`
  return html`<p class="field"><label for="${name}">${label}</label>${hint === null ? null : html`<span class="hint" id="${name}-hint">${hint}</span>`}${control(attributes)}${fault && !fault.choices ? html`<strong class="fault" id="${name}-fault">${fault.message}</strong>` : null}</p>`
}

/** All faults at once, at the top: the first thing that a screen reader reads. */
export function faultList({ faults, words }: FormContext): Html | null {
  if (faults.length === 0) return null
  const items = faults.map(({ field, message }) =>
    field === null
      ? html`<li>${message}</li>`
      : html`<li><a href="#${field === 'lat' ? 'place' : field}">${message}</a></li>`,
  )
  return html`<div class="faults" role="alert" tabindex="-1"><h2>${words.translate('report.not_sent')}</h2><ul>${items}</ul></div>`
}

/** What the form answers, and a field that people do not see and programs fill in. */
export function hiddenFields({ challenge, words, faults }: FormContext, { website, solutions }: FormValues): Html {
  const shown = faults.some(({ field }) => field === 'website')
  return html`<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="solutions" value="${solutions}"><p class="${shown ? 'field' : 'trap'}"${shown ? null : html` aria-hidden="true"`}><label for="website">${words.translate('report.website')}</label><input id="website" name="website" value="${website}" autocomplete="off"${shown ? null : html` tabindex="-1"`}></p>`
}

/** Words for the script, which has no catalogue of its own. */
export function scriptWords({ words: { translate: t } }: FormContext): Html {
  const keys = [
    ...([
      'sending',
      'offline',
      'here',
      'here_hint',
      'here_failed',
      'pin',
      'pin_help',
      'pin_take',
      'pin_failed',
    ] as const),
    ...(['zoom_in', 'zoom_out', 'point', 'point_near', 'point_remove'] as const),
  ]
  const texts = Object.fromEntries(keys.map((key) => [key, t(`report.${key}`)]))
  return html`data-words="${JSON.stringify(texts)}"`
}
