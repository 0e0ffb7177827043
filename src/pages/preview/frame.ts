import { legalCharacters } from '../../formats/xml.ts'
import type { Translate } from '../../i18n/translate.ts'
import { type Html, html } from '../html.ts'
import { IMAGE_PALETTE as COLOURS } from '../static-map.ts'

/** The size that link previews are cut to. */
export const IMAGE_WIDTH = 1200
export const IMAGE_HEIGHT = 630
/** The map fills the right half. */
export const MAP_WIDTH = 600
const LEFT = 56
const TEXT_WIDTH = IMAGE_WIDTH - MAP_WIDTH - LEFT - 32

/**
 * The whole image: the map on the right, the words on the left, the name of the service beneath.
 */
export function frame(map: Html, words: Html, isDemo: boolean, t: Translate): string {
  const name = `${t('common.name')}${isDemo ? ` · ${t('common.synthetic')}` : ''}`
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${IMAGE_WIDTH}" height="${IMAGE_HEIGHT}" viewBox="0 0 ${IMAGE_WIDTH} ${IMAGE_HEIGHT}" font-family="Noto Sans" fill="${COLOURS.ink}"><rect width="${IMAGE_WIDTH}" height="${IMAGE_HEIGHT}" fill="${COLOURS.paper}"/><svg x="${IMAGE_WIDTH - MAP_WIDTH}" width="${MAP_WIDTH}" height="${IMAGE_HEIGHT}">${map}</svg><path d="M${IMAGE_WIDTH - MAP_WIDTH} 0V${IMAGE_HEIGHT}" stroke="${COLOURS.line}" stroke-width="2"/><rect width="8" height="${IMAGE_HEIGHT}" fill="${COLOURS.accent}"/>${words}<text x="${LEFT}" y="${IMAGE_HEIGHT - 44}" font-size="24" font-weight="700">${name}</text></svg>`
  return legalCharacters(svg.text)
}

interface Line {
  readonly text: string
  readonly size: number
  readonly bold?: boolean
  readonly quiet?: boolean
  readonly maxLines?: number
  /** Pixels above the line. */
  readonly above?: number
}

/** Sets lines beneath one another from the top. */
export function column(lines: readonly Line[], top: number): { readonly svg: Html; readonly bottom: number } {
  let y = top
  const texts: Html[] = []
  for (const { text, size, bold = false, quiet = false, maxLines = 2, above = 0 } of lines) {
    y += above
    for (const part of wrapText(text, size, TEXT_WIDTH, maxLines)) {
      y += Math.round(size * 1.3)
      texts.push(
        html`<text x="${LEFT}" y="${y}" font-size="${size}" font-weight="${bold ? 700 : 400}" fill="${quiet ? COLOURS.quiet : COLOURS.ink}">${part}</text>`,
      )
    }
  }
  return { svg: html`${texts}`, bottom: y }
}

export const TEXT_LEFT = LEFT

/** Mean width of a character of Noto Sans Bold in shares of its size. */
const CHARACTER_WIDTH = 0.56

/**
 * Breaks a text into lines of about `width` pixels; the last line that fits ends with an ellipsis.
 */
export function wrapText(text: string, fontSize: number, width: number, maxLines: number): string[] {
  const perLine = Math.max(1, Math.floor(width / (fontSize * CHARACTER_WIDTH)))
  const lines: string[] = []
  let rest = text.replaceAll(/\s+/g, ' ').trim()
  while (rest !== '' && lines.length < maxLines) {
    if (rest.length <= perLine) {
      lines.push(rest)
      return lines
    }
    const space = rest.lastIndexOf(' ', perLine)
    const end = space > 0 ? space : perLine
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  if (rest !== '' && lines.length > 0)
    lines.push(
      `${lines
        .pop()!
        .slice(0, perLine - 1)
        .trimEnd()}…`,
    )
  return lines
}
