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
