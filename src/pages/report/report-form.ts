import type { State } from '../../domain/places.ts'
import { TYPE_NAMES } from '../../domain/taxonomy.ts'
import { MAX_CONTACT_LENGTH, MAX_PLACE_LENGTH, MAX_TIP_LENGTH, MIN_TIP_LENGTH } from '../../domain/tips.ts'
import { type Html, html } from '../html.ts'
import { pathInLanguage } from '../page-language.ts'
import { type FormContext, faultList, field, hiddenFields, scriptWords } from './controls.ts'
import { type FormValues, NO_CHOICE } from './form-values.ts'

/** The form of `/report`, filled with what was sent before. */
export function reportForm(context: FormContext, values: FormValues, states: readonly State[], today: string): Html {
  const { translate: t } = context.words
  const text = (attributes: Html) =>
    html`<textarea ${attributes} rows="6" required minlength="${MIN_TIP_LENGTH}" maxlength="${MAX_TIP_LENGTH}">${values.text}</textarea>`
  const day = (attributes: Html) =>
    html`<input ${attributes} type="date" required min="1960-01-01" max="${today}" value="${values.day}">`
  const contact = (attributes: Html) =>
    html`<input ${attributes} maxlength="${MAX_CONTACT_LENGTH}" autocomplete="off" value="${values.contact}">`
  return html`<article class="report"><h1>${t('page.report')}</h1><p class="danger">${t('report.danger')}</p><p>${t('report.intro')}</p>
${faultList(context)}
<form method="post" ${scriptWords(context)}>
${field(context, 'text', t('report.what'), text, t('report.what_hint'))}
${field(context, 'type', t('report.kind'), (attributes) => typeSelect(attributes, context, values))}
${whereFields(context, values, states)}
<div class="pair">${field(context, 'day', t('report.day'), day)}${field(context, 'time', t('report.time'), (attributes) => html`<input ${attributes} type="time" value="${values.time}">`)}</div>
${field(context, 'contact', t('report.contact'), contact, t('report.contact_hint', { days: context.days }))}
${hiddenFields(context, values)}
<p><button>${t('report.send')}</button></p><p class="status" role="status"></p></form>
<p class="quiet">${t('report.privacy')}</p><p><a href="${pathInLanguage('/report/add', context.words)}">${t('report.add_title')}</a></p></article>`
}

function typeSelect(attributes: Html, { words: { translate: t } }: FormContext, { type }: FormValues): Html {
  const labelled = TYPE_NAMES.map((name) => ({ value: name, label: t(`common.type_${name}`) }))
  return select(attributes, t('report.kind_unsure'), labelled, type)
}

function whereFields(context: FormContext, values: FormValues, states: readonly State[]): Html {
  const { translate: t } = context.words
  const place = (attributes: Html) =>
    html`<input ${attributes} maxlength="${MAX_PLACE_LENGTH}" autocomplete="off" value="${values.place}">`
  const named = states.map(({ name }) => ({ value: name, label: name }))
  return html`${field(context, 'place', t('report.place'), place, t('report.place_hint'))}${choices(context, values)}
<div class="point"><input type="hidden" name="lat" value="${values.lat}"><input type="hidden" name="lng" value="${values.lng}"></div>
${field(context, 'state', t('report.state'), (attributes) => select(attributes, t('report.state_unknown'), named, values.state))}`
}

/** The places that the name may mean. */
function choices({ faults, words: { translate: t } }: FormContext, { choice }: FormValues): Html | null {
  const offered = faults.find((fault) => fault.field === 'place')?.choices ?? []
  if (offered.length === 0) return null
  const options = [
    ...offered.map((name) => ({ value: name, label: name })),
    { value: NO_CHOICE, label: t('report.place_none') },
  ]
  const radios = options.map(
    ({ value, label }) =>
      html`<label class="choice"><input type="radio" name="choice" value="${value}"${value === choice ? html` checked` : null}> ${label}</label>`,
  )
  return html`<fieldset class="choices"><legend id="place-fault">${t('report.error_place_which')}</legend>${radios}</fieldset>`
}

function select(
  attributes: Html,
  none: string,
  options: readonly { readonly value: string; readonly label: string }[],
  chosen: string,
): Html {
  const all = options.map(
    ({ value, label }) =>
      html`<option${value === label ? null : html` value="${value}"`}${value === chosen ? html` selected` : null}>${label}</option>`,
  )
  return html`<select ${attributes}><option value="">${none}</option>${all}</select>`
}
