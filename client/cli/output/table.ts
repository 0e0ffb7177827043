import { oneLine } from './plain-text.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Columns that one sees on a terminal: a letter with its marks is one. */
function widthOf(text: string): number {
  let width = 0
  for (const _ of graphemes.segment(text)) width++
  return width
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  const kept = [...graphemes.segment(text)].slice(0, Math.max(0, width - 1)).map(({ segment }) => segment)
  return `${kept.join('')}…`
}

/** Lays out rows below a head. The last column takes what the terminal leaves and is cut. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], terminalWidth: number): string {
  const cells = [head, ...rows.map((row) => row.map(oneLine))]
  const last = head.length - 1
  const widths = head.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))))
  const taken = widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0)
  widths[last] = Math.max(6, Math.min(widths[last]!, terminalWidth - taken))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const text = cut(cell, widths[column]!)
        return column === last ? text : text + ' '.repeat(widths[column]! - widthOf(text))
      })
      .join('  ')
      .trimEnd()
  return `${cells.map(line).join('\n')}\n`
}
