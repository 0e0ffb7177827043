import { FIRST_IMPORT } from '../../../../../src/i18n/first-import.ts'
import { t } from '../../../../shared/language.ts'

/** Stands where the list will be while the service has not published anything. */
export function EmptyArchive() {
  return (
    <div class="empty-archive">
      <h1>{t('page.empty_title')}</h1>
      <p>{t('page.empty_what')}</p>
      <h2>{t('page.empty_operator')}</h2>
      <ol>
        <li>
          {t('page.empty_import')} <code>{FIRST_IMPORT}</code>
        </li>
        <li>
          <a href="/desk">{t('page.empty_desk')}</a>
        </li>
        <li>
          <a href="/console">{t('page.empty_console')}</a>
        </li>
      </ol>
    </div>
  )
}
