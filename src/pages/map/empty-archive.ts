import { FIRST_IMPORT } from '../../i18n/first-import.ts'
import type { Translate } from '../../i18n/translate.ts'
import { type Html, html } from '../html.ts'

/** Says what this is and what its operator does next, while nothing has been published. */
export function emptyArchive(t: Translate): Html {
  return html`<h2>${t('page.empty_title')}</h2><p>${t('page.empty_what')}</p>
<h2>${t('page.empty_operator')}</h2><ol><li>${t('page.empty_import')} <code>${FIRST_IMPORT}</code></li>
<li><a href="/desk">${t('page.empty_desk')}</a></li><li><a href="/console">${t('page.empty_console')}</a></li></ol>`
}
