/**
 * Cuts at `most` UTF-16 units, which every channel counts at most, without cutting a character in
 * two.
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Characters that Markdown of Discord and Teams could read as formatting or as a link. */
const MARKDOWN = /[\\*_~`|<>[\]()#]/g

export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN, '\\$&')
}

/** As Telegram (HTML) and Slack ask for. */
export function escapeAngles(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** For text and for attributes between double quotes. */
export function escapeHtml(text: string): string {
  return escapeAngles(text).replaceAll('"', '&quot;')
}
