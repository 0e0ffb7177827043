import type { Translate } from '../../i18n/translate.ts'
import { type Html, html } from '../html.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'
import { additionForm } from './addition-form.ts'
import type { FormContext } from './controls.ts'
import type { FormValues } from './form-values.ts'

/** Shown once a tip has arrived, and again if its form is sent again. */
export function sentPage(words: PageLanguage, reference: string, days: number): Html {
  const { translate: t } = words
  return html`<article class="report"><h1 tabindex="-1">${t('report.sent')}</h1><p>${t('report.sent_next')}</p>${referenceBox(t, reference, days)}<p><a href="${pathInLanguage('/report/add', words)}">${t('report.add_title')}</a></p>${whereNext(words)}</article>`
}

/** For a form that was sent before with other content: what is new can be added. */
export function sentBeforePage(context: FormContext, reference: string, values: FormValues): Html {
  const { translate: t } = context.words
  return html`<article class="report"><h1 tabindex="-1">${t('report.sent')}</h1>${referenceBox(t, reference, context.days)}<p role="alert">${t('report.already_sent')}</p>${additionForm(context, { ...values, reference })}</article>`
}

export function addedPage(words: PageLanguage): Html {
  const { translate: t } = words
  return html`<article class="report"><h1 tabindex="-1">${t('report.added')}</h1><p>${t('report.sent_next')}</p>${whereNext(words)}</article>`
}

function whereNext(words: PageLanguage): Html {
  const { translate: t } = words
  return html`<p><a href="${pathInLanguage('/report', words)}">${t('report.another')}</a></p><p><a href="${pathInLanguage('/', words)}">${t('page.to_the_map')}</a></p>`
}

function referenceBox(t: Translate, reference: string, days: number): Html {
  return html`<h2>${t('report.reference')}</h2><code class="key">${reference}</code><p>${t('report.reference_hint', { days })}</p>`
}
