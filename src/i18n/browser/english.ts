import areas from '../catalogues/en/areas.json' with { type: 'json' }
import common from '../catalogues/en/common.json' with { type: 'json' }
import filters from '../catalogues/en/filters.json' with { type: 'json' }
import map from '../catalogues/en/map.json' with { type: 'json' }
import page from '../catalogues/en/page.json' with { type: 'json' }
import panel from '../catalogues/en/panel.json' with { type: 'json' }
import share from '../catalogues/en/share.json' with { type: 'json' }
import timeline from '../catalogues/en/timeline.json' with { type: 'json' }
import { type KeyOf, type TranslateKeys, translator } from '../translator.ts'

/** The areas whose words scripts show: these are loaded into browsers, and no others. */
export const BROWSER_ENGLISH = { areas, common, filters, map, page, panel, share, timeline }

export type BrowserArea = keyof typeof BROWSER_ENGLISH
export type BrowserKey = KeyOf<typeof BROWSER_ENGLISH>
export type BrowserTranslate = TranslateKeys<BrowserKey>

export const browserEnglish: BrowserTranslate = translator(BROWSER_ENGLISH, BROWSER_ENGLISH, 'en')

/** Whether a key made at run time, such as from a field of an answer, has a sentence. */
export function isBrowserKey(key: string): key is BrowserKey {
  const [area, name] = key.split('.', 2) as [string, string | undefined]
  return (
    name !== undefined &&
    Object.hasOwn(BROWSER_ENGLISH, area) &&
    Object.hasOwn(BROWSER_ENGLISH[area as BrowserArea], name)
  )
}
