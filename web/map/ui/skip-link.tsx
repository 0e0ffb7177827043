import { t } from '../../shared/language.ts'
import { openSheet } from './panel/sheet.tsx'

/** The first stop of the keyboard: past the header and the map to the list. */
export function SkipLink() {
  const skip = () => {
    openSheet()
    // The sheet's body cannot take the focus before it has been opened.
    requestAnimationFrame(() => document.getElementById('list')?.focus())
  }
  return (
    <button type="button" class="skip-link" onClick={skip}>
      {t('map.skip_to_list')}
    </button>
  )
}
