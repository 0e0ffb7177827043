import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../../../src/domain/languages.ts'
import { Icon } from '../../../shared/components.tsx'
import { chooseLanguage, currentLanguage, t } from '../../../shared/language.ts'

/**
 * Languages and the other pages. The browser's own popover closes with Escape or a tap elsewhere.
 */
export function MainMenu() {
  return (
    <>
      <button type="button" class="icon-button" popovertarget="main-menu" title={t('map.menu')}>
        <Icon name="menu" />
        <span class="hidden">{t('map.menu')}</span>
      </button>
      <div id="main-menu" popover="auto" class="main-menu">
        <label class="language-choice" for="language">
          {t('common.language')}
          <LanguageSelect />
        </label>
        <DraftNote />
        <a href="/report">{t('page.report')}</a>
        <a href="/about">{t('page.about')}</a>
        <a href="/status">{t('page.status')}</a>
        <a href="/console">{t('page.for_developers')}</a>
      </div>
    </>
  )
}

function LanguageSelect() {
  return (
    <select
      id="language"
      value={currentLanguage().language}
      onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
    >
      {LANGUAGE_CODES.map((code) => (
        <option key={code} value={code} lang={code}>
          {LANGUAGES[code]}
        </option>
      ))}
    </select>
  )
}

/** Says that no speaker has reviewed the words of this page yet. */
export function DraftNote() {
  if (!currentLanguage().draft) return null
  return <p class="draft-note">{t('common.draft')}</p>
}
