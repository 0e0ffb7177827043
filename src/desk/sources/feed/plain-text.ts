import { decodeHTML } from 'entities'

/** Characters of HTML that are looked at. */
const MAX_HTML = 100_000
const HIDDEN = /<(script|style|figcaption|iframe|noscript)\b[\s\S]*?<\/\1\s*>/gi
const COMMENT = /<!--[\s\S]*?-->/g
const BLOCK_TAG = /<\/?(p|br|div|li|ul|ol|h[1-6]|blockquote|tr|table|section|article|figure|hr)\b[^<>]*>/gi
const TAG = /<\/?[a-z][^<>]*>/gi
/** What WordPress adds below each item. */
const FOOTER = /\n?The post [^\n]{0,300} (?:appeared first|first appeared) on [^\n]{0,200}$/

/** Markup becomes text: one line for each block, entities decoded, no control characters. */
export function plainText(html: string): string {
  const visible = html.slice(0, MAX_HTML).replace(COMMENT, ' ').replace(HIDDEN, ' ')
  const text = decodeHTML(visible.replace(BLOCK_TAG, '\n').replace(TAG, ''))
  return tidy(text).replace(FOOTER, '').trim()
}

/** A title: one line. */
export function plainLine(html: string): string {
  return plainText(html).replace(/\s+/g, ' ')
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{C}\n]+/gu, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
