import type { AlertSentences } from '../../api/alerts/alert-text.ts'
import type { Watch } from '../../domain/watch.ts'
import { dayText } from '../../lib/nigeria-time.ts'
import { type Html, html } from '../html.ts'
import type { PageLanguage } from '../page-language.ts'

export interface Answer {
  readonly status: number
  readonly body: Html
}

type Words = Pick<PageLanguage, 'translate'>
/** What a message goes to, in words. */
type Labelled = { readonly label: string | null }

export function confirmQuestion({ label }: Labelled, sentences: AlertSentences, { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.confirm_heading')}</h1><p><strong>${label}</strong></p><p>${t(sentences.intro)}</p><form method="post"><button>${t('alerts.confirm')}</button></form><p class="quiet">${t(sentences.promise)}</p>`,
  )
}

export function confirmed(
  { label }: Labelled,
  sentences: AlertSentences,
  token: string,
  { translate: t }: Words,
): Answer {
  return page(
    html`<h1>${t('alerts.confirmed_heading')}</h1><p><strong>${label}</strong></p><p>${t(sentences.confirmed)}</p><p><a href="/alerts/${token}">${t('alerts.manage_heading')}</a></p>`,
  )
}

export function tooMany(count: number, { translate: t }: Words): Answer {
  return {
    status: 409,
    body: html`<h1>${t('alerts.confirm_heading')}</h1><p>${t('alerts.too_many', { count })}</p>`,
  }
}

export function endQuestion({ label }: Labelled, confirmedAt: number | null, { translate: t }: Words): Answer {
  const since =
    confirmedAt === null ? null : html`<p class="quiet">${t('alerts.since', { date: dayText(confirmedAt) })}</p>`
  return page(
    html`<h1>${t('alerts.manage_heading')}</h1><p><strong>${label}</strong></p>${since}<form method="post"><button>${t('alerts.end')}</button></form><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  )
}

export function ended({ label }: Labelled, isBrowser: boolean, { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.ended_heading')}</h1><p><strong>${label}</strong></p><p>${t(isBrowser ? 'alerts.push_ended' : 'alerts.ended')}</p><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  )
}

export function pauseQuestion(watch: Watch, words: Words): Answer {
  if (watch.status !== 'active') return paused(watch, words)
  const { translate: t } = words
  return page(
    html`<h1>${t('alerts.pause_heading', { name: watch.name })}</h1><p>${t('alerts.pause_note')}</p><form method="post"><button>${t('alerts.pause')}</button></form>`,
  )
}

export function paused({ name }: Watch, { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.paused_heading')}</h1><p><strong>${name}</strong></p><p>${t('alerts.pause_note')} <a href="/sign-in?next=/console">${t('page.for_developers')}</a></p>`,
  )
}

/** A watch that a mail was for, with the page of its own. */
export interface ShownLink {
  readonly name: string
  readonly token: string
}

/** Of a mail for several watches: one at a time, or all. */
export function stopQuestion(links: readonly ShownLink[], { translate: t }: Words): Answer {
  const items = links.map(({ name, token }) => html`<li><a href="/alerts/${token}">${name}</a></li>`)
  return page(
    html`<h1>${t('alerts.title')}</h1><ul>${items}</ul><form method="post"><button>${t('alerts.stop_all')}</button></form>`,
  )
}

export function stopped(links: readonly ShownLink[], { translate: t }: Words): Answer {
  return page(
    html`<h1>${t('alerts.stopped_heading')}</h1><ul>${links.map(({ name }) => html`<li>${name}</li>`)}</ul><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  )
}

export function gone({ translate: t }: Words): Answer {
  return {
    status: 404,
    body: html`<h1>${t('alerts.gone_heading')}</h1><p>${t('alerts.gone')}</p><p><a href="/alerts">${t('alerts.again')}</a></p>`,
  }
}

function page(body: Html): Answer {
  return { status: 200, body }
}
