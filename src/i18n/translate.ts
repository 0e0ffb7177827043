import type { Language } from '../domain/languages.ts'
import about from './catalogues/en/about.json' with { type: 'json' }
import alerts from './catalogues/en/alerts.json' with { type: 'json' }
import areas from './catalogues/en/areas.json' with { type: 'json' }
import common from './catalogues/en/common.json' with { type: 'json' }
import filters from './catalogues/en/filters.json' with { type: 'json' }
import map from './catalogues/en/map.json' with { type: 'json' }
import messages from './catalogues/en/messages.json' with { type: 'json' }
import page from './catalogues/en/page.json' with { type: 'json' }
import panel from './catalogues/en/panel.json' with { type: 'json' }
import report from './catalogues/en/report.json' with { type: 'json' }
import share from './catalogues/en/share.json' with { type: 'json' }
import status from './catalogues/en/status.json' with { type: 'json' }
import timeline from './catalogues/en/timeline.json' with { type: 'json' }

/** One sentence, or one for a single thing and one for any other number. */
export type Message = string | { readonly one: string; readonly other: string }
export type Catalogue = Readonly<Record<string, Message>>
export type Catalogues<Area extends string> = Readonly<Record<Area, Catalogue>>

export type Values = Readonly<Record<string, string | number>>

/** The keys of some areas: the area and the name in its file, such as `panel.empty`. */
export type KeyOf<Areas> = {
  [Name in keyof Areas & string]: `${Name}.${Exclude<keyof Areas[Name], `_${string}`> & string}`
}[keyof Areas & string]

/** Returns the sentence for a key, filled with values. `count` chooses between the two forms. */
export type TranslateKeys<Key extends string> = (key: Key, values?: Values) => string

export interface Loaded<Key extends string> {
  readonly language: Language
  readonly translate: TranslateKeys<Key>
  /** True if no speaker has reviewed the translation. */
  readonly draft: boolean
}

/** A sentence that a draft lacks is shown in English. */
export function translator<Area extends string, Key extends `${Area}.${string}`>(
  catalogues: Catalogues<Area>,
  english: Catalogues<Area>,
  language: Language,
): TranslateKeys<Key> {
  const plurals = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const message = messageIn(catalogues, key) ?? messageIn(english, key)
    if (message === undefined) throw new Error(`there is no message ${key}`)
    const text = typeof message === 'string' ? message : formOf(message, plurals, values.count)
    return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
  }
}

function messageIn<Area extends string>(catalogues: Catalogues<Area>, key: `${Area}.${string}`): Message | undefined {
  const dot = key.indexOf('.')
  return catalogues[key.slice(0, dot) as Area]?.[key.slice(dot + 1)]
}

/** Numbers arrive as they are shown, such as `1,234`. */
function formOf(
  { one, other }: Exclude<Message, string>,
  plurals: Intl.PluralRules,
  count: string | number | undefined,
): string {
  const number = typeof count === 'number' ? count : Number(String(count).replaceAll(/[^\d.]/g, ''))
  return plurals.select(number) === 'one' ? one : other
}

/** The areas whose words scripts show: these are loaded into browsers, and no others. */
const BROWSER_ENGLISH = { areas, common, filters, map, page, panel, share, timeline }
/** A key is its area and its name in the area's file, such as `panel.empty`. */
export type BrowserKey = KeyOf<typeof BROWSER_ENGLISH>
export type BrowserTranslate = TranslateKeys<BrowserKey>
type BrowserArea = keyof typeof BROWSER_ENGLISH

// Pure, so that browsers load only what a page uses.
export const browserEnglish: BrowserTranslate = /* @__PURE__ */ translator(BROWSER_ENGLISH, BROWSER_ENGLISH, 'en')

/** Whether a key made at run time, such as from a field of an answer, has a sentence. */
export function isBrowserKey(key: string): key is BrowserKey {
  const [area, name] = key.split('.', 2) as [string, string | undefined]
  return (
    name !== undefined &&
    Object.hasOwn(BROWSER_ENGLISH, area) &&
    Object.hasOwn(BROWSER_ENGLISH[area as BrowserArea], name)
  )
}

/** Each language is loaded only if it is used: a phone reads one. */
const BROWSER_LOADERS: Readonly<
  Record<Language, () => Promise<{ readonly browserCatalogues: Catalogues<BrowserArea> }>>
> = {
  en: async () => ({ browserCatalogues: BROWSER_ENGLISH }),
  ha: () => import('./catalogues/ha.ts'),
  yo: () => import('./catalogues/yo.ts'),
  ig: () => import('./catalogues/ig.ts'),
  pcm: () => import('./catalogues/pcm.ts'),
}

export type LoadedInBrowser = Loaded<BrowserKey>

export async function loadInBrowser(language: Language): Promise<LoadedInBrowser> {
  const { browserCatalogues } = await BROWSER_LOADERS[language]()
  return loaded(browserCatalogues, BROWSER_ENGLISH, language)
}

/** All areas: those of scripts, and those that only the server writes. */
export const ENGLISH = { ...BROWSER_ENGLISH, about, alerts, messages, report, status }
export type MessageKey = KeyOf<typeof ENGLISH>
export type Translate = TranslateKeys<MessageKey>
type Area = keyof typeof ENGLISH

export const english: Translate = /* @__PURE__ */ translator(ENGLISH, ENGLISH, 'en')

export type LoadedLanguage = Loaded<MessageKey>

/** Loads every word of a language, as the server needs it. */
export async function loadLanguage(language: Language): Promise<LoadedLanguage> {
  const areas = Object.keys(ENGLISH) as Area[]
  const entries = areas.map(async (area) => {
    const file: string = `./catalogues/${language}/${area}.json`
    const { default: catalogue } = (await import(/* @vite-ignore */ file, { with: { type: 'json' } })) as {
      default: Catalogue
    }
    return [area, catalogue] as const
  })
  return loaded(Object.fromEntries(await Promise.all(entries)) as Catalogues<Area>, ENGLISH, language)
}

function loaded<Name extends string, Key extends `${Name}.${string}`>(
  catalogues: Catalogues<Name> & Catalogues<'common'>,
  english: Catalogues<Name>,
  language: Language,
): Loaded<Key> {
  return {
    language,
    translate: translator(catalogues, english, language),
    draft: catalogues.common._status === 'draft',
  }
}
