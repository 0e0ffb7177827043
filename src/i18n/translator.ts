import type { Language } from '../domain/languages.ts'

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
