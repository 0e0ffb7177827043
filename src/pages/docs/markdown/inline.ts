import { escapeHtml, Html } from '../../html.ts'

/**
 * Turns the address of a link as it is written into that of the served page; null if none is
 * served.
 */
export type ResolveLink = (address: string) => string | null

/** The inline elements that the guides use: code, bold, emphasis and links. All else is text. */
export function inlineHtml(text: string, resolveLink: ResolveLink): Html {
  const pieces = text.split(/(`[^`]+`)/).map((piece) => {
    if (piece.startsWith('`') && piece.length > 1) return `<code>${withoutMarks(escapeHtml(piece.slice(1, -1)))}</code>`
    return escapeHtml(piece)
  })
  const linked = pieces
    .join('')
    .replaceAll(/\[((?:[^\]]|<code>[^<]*<\/code>)+)\]\(([^)\s]+)\)/g, (_whole, label: string, address: string) => {
      const served = resolveLink(unescapeHtml(address))
      return served === null ? label : `<a href="${escapeHtml(served)}">${label}</a>`
    })
  return new Html(
    linked
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>'),
  )
}

/** Code is shown as it is written: its stars and brackets mean nothing. */
function withoutMarks(code: string): string {
  return code.replaceAll(/[*[\]]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** For slugs, titles and the search: the words without the marks. */
export function plainText(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
}

export function slugOf(heading: string): string {
  return plainText(heading)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&amp;', '&')
}
