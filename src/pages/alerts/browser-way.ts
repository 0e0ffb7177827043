import { type Html, html } from '../html.ts'
import type { PageLanguage } from '../page-language.ts'

/** The sentences that the page hands to its script (`web/alerts`). */
const SCRIPT_WORDS = [
  'push_ready',
  'push_denied',
  'push_home_screen',
  'push_unsupported',
  'push_working',
  'push_done',
  'push_not_allowed',
  'push_failed',
  'push_too_many',
  'too_often',
  'since',
  'end',
  'ended_heading',
] as const

/** Attributes of the element that the script works in. */
export function scriptData({ language, translate: t }: PageLanguage): Html {
  // `since` keeps its placeholder: the script fills it.
  const words = Object.fromEntries(SCRIPT_WORDS.map((name) => [name, t(`alerts.${name}`, { date: '{date}' })]))
  return html` data-language="${language}" data-words="${JSON.stringify(words)}"`
}

/** Hidden until the script knows what the browser can do. */
export function browserWay(filter: object, isOnlyWay: boolean, { translate: t }: PageLanguage): Html {
  return html`<section class="way" id="here" data-filter="${JSON.stringify(filter)}"${isOnlyWay ? html` data-only="true"` : null} hidden><h2>${t('alerts.push_heading')}</h2><p class="push-note"></p><button type="button" hidden>${t('alerts.push_start')}</button><p class="status" role="status"></p><p class="quiet promise" hidden>${t('alerts.push_promise')}</p></section>${isOnlyWay ? html`<noscript><p>${t('alerts.push_script')}</p></noscript>` : null}`
}

/** Filled by the script, if this browser has alerts. */
export function ownAlerts({ translate: t }: PageLanguage): Html {
  return html`<section id="mine" hidden><h2 tabindex="-1">${t('alerts.push_mine')}</h2><ul></ul><p class="status" role="status"></p></section>`
}
