import { MAX_CONTACT_LENGTH, MAX_TIP_LENGTH, MIN_TIP_LENGTH } from '../../domain/tips.ts'
import { type Html, html } from '../html.ts'
import { pathInLanguage } from '../page-language.ts'
import { type FormContext, faultList, field, hiddenFields, scriptWords } from './controls.ts'
import type { FormValues } from './form-values.ts'

/** The page `/report/add`. */
export function additionPage(context: FormContext, values: FormValues): Html {
  const { translate: t } = context.words
  return html`<article class="report"><h1>${t('report.add_title')}</h1><p>${t('report.add_intro')}</p>${additionForm(context, values)}<p><a href="${pathInLanguage('/report', context.words)}">${t('report.another')}</a></p></article>`
}

export function additionForm(context: FormContext, values: FormValues): Html {
  const { translate: t } = context.words
  const reference = (attributes: Html) =>
    html`<input ${attributes} required maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" class="reference" value="${values.reference}">`
  const text = (attributes: Html) =>
    html`<textarea ${attributes} rows="5" required minlength="${MIN_TIP_LENGTH}" maxlength="${MAX_TIP_LENGTH}">${values.text}</textarea>`
  const contact = (attributes: Html) =>
    html`<input ${attributes} maxlength="${MAX_CONTACT_LENGTH}" autocomplete="off" value="${values.contact}">`
  return html`${faultList(context)}<form method="post" action="${pathInLanguage('/report/add', context.words)}" ${scriptWords(context)}>
${field(context, 'reference', t('report.reference'), reference)}
${field(context, 'text', t('report.add_text'), text)}
${field(context, 'contact', t('report.add_contact'), contact, t('report.contact_hint', { days: context.days }))}
${hiddenFields(context, values)}
<p><button>${t('report.send')}</button></p><p class="status" role="status"></p></form>`
}
