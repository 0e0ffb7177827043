import type { Incident } from '../domain/incident.ts'
import { TYPES } from '../domain/taxonomy.ts'

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** XML 1.0 forbids these even escaped: controls, lone surrogates, non-characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // Required, because `]]>` is forbidden in text.
  '>': '&gt;',
  '"': '&quot;',
  // Parsers normalize these unless they are escaped.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** Escapes text and attribute values. Forbidden characters become a visible U+FFFD. */
export function escaped(text: string): string {
  return legalCharacters(text).replaceAll(/[&<>"\r\n\t]/g, (character) => ENTITIES[character]!)
}

/** Replaces the characters that no XML document may contain. */
export function legalCharacters(text: string): string {
  return text.replaceAll(FORBIDDEN, '\ufffd')
}

type Attributes = Readonly<Record<string, string>>

/** Writes an element with text; an empty string if the text is null. */
export function element(name: string, text: string | null, attributes: Attributes = {}): string {
  return text === null ? '' : `<${name}${written(attributes)}>${escaped(text)}</${name}>`
}

export function group(name: string, content: readonly string[], attributes: Attributes = {}): string {
  return `<${name}${written(attributes)}>${content.join('')}</${name}>`
}

export function emptyElement(name: string, attributes: Attributes): string {
  return `<${name}${written(attributes)}/>`
}

function written(attributes: Attributes): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes)) text += ` ${name}="${escaped(value)}"`
  return text
}

/** Returns `Gonin Gora, Chikun, Kaduna`, for example. */
export function describePlace({ location, lga, state }: Incident): string {
  return [location.place, lga, state].filter((name) => name !== null).join(', ')
}

/** Returns `Kidnapping in Chikun, Kaduna`, for example. */
export function headline({ type, lga, state }: Incident): string {
  return `${TYPES[type].label} in ${lga === null ? state : `${lga}, ${state}`}`
}
