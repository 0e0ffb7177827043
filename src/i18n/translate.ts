import { type Area, ENGLISH, type MessageKey } from './english.ts'
import type { Language } from './languages.ts'

/** One sentence, or one for a single thing and one for any other number. */
export type Message = string | { readonly one: string; readonly other: string }
export type Catalogue = Readonly<Record<string, Message>>
export type Catalogues = Readonly<Record<Area, Catalogue>>

export type Values = Readonly<Record<string, string | number>>

/** Returns the sentence for a key, filled with values. `count` chooses between the two forms. */
export type Translate = (key: MessageKey, values?: Values) => string

/** A sentence that a draft lacks is shown in English. */
export function translator(catalogues: Catalogues, language: Language): Translate {
  const plurals = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const message = messageIn(catalogues, key) ?? messageIn(ENGLISH, key)
    if (message === undefined) throw new Error(`there is no message ${key}`)
    const text = typeof message === 'string' ? message : formOf(message, plurals, values.count)
    return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
  }
}

export const english: Translate = translator(ENGLISH, 'en')

/** Whether a key made at run time, such as from a field of an answer, has a sentence. */
export function isMessageKey(key: string): key is MessageKey {
  const [area, name] = key.split('.', 2) as [string, string | undefined]
  return name !== undefined && Object.hasOwn(ENGLISH, area) && Object.hasOwn(ENGLISH[area as Area], name)
}

function messageIn(catalogues: Catalogues, key: MessageKey): Message | undefined {
  const dot = key.indexOf('.')
  return catalogues[key.slice(0, dot) as Area][key.slice(dot + 1)]
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
