export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** What XML 1.0 cannot hold, in any form: control characters, halves of surrogate pairs, non-characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // Not only for symmetry: `]]>` may not stand in text.
  '>': '&gt;',
  '"': '&quot;',
  // Written plainly, a parser would read these as something else.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** Any text as XML text or as an attribute's value. What XML cannot hold becomes U+FFFD, so that its place is seen. */
export function escaped(text: string): string {
  return text.replaceAll(IMPOSSIBLE, '\ufffd').replaceAll(/[&<>"\r\n\t]/g, (character) => ENTITIES[character]!)
}

type Attributes = Readonly<Record<string, string>>

/** An element with text in it; nothing where there is none. */
export function element(name: string, text: string | null, attributes: Attributes = {}): string {
  return text === null ? '' : `<${name}${written(attributes)}>${escaped(text)}</${name}>`
}

/** An element with elements in it. */
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
