import type { Alert } from '../alert.ts'
import { cut, escapeAngles } from '../text.ts'

const MAX_HEADER = 150
const MAX_SECTION = 3000
const MAX_FIELD = 2000
const ENTRIES_PER_SECTION = 8

/**
 * A message of an incoming webhook, in Block Kit. What others wrote is plain text: it formats
 * nothing.
 */
export function slackBody(alert: Alert) {
  const { title, summary, facts, advice, adviceLabel, note, link, linkText, footer } = alert
  return {
    // Shown in notifications, and read aloud.
    text: escapeAngles(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, MAX_HEADER) },
      ...contentOf(alert, summary),
      { type: 'section', fields: facts.map(({ label, value }) => plain(`${label}\n${value}`, MAX_FIELD)) },
      ...(advice === null ? [] : [{ type: 'section', text: plain(`${adviceLabel}\n${advice}`, MAX_SECTION) }]),
      { type: 'section', text: { type: 'mrkdwn', text: `<${escapeAngles(link)}|${escapeAngles(linkText)}>` } },
      { type: 'context', elements: [plain(note, MAX_FIELD), plain(footer, MAX_FIELD)] },
    ],
  }
}

/** Entries in parts: a section holds 3,000 characters. */
function contentOf({ entries }: Alert, summary: string | null) {
  if (entries.length === 0) return summary === null ? [] : [{ type: 'section', text: plain(summary, MAX_SECTION) }]
  const lines = entries.map(({ text, link }) => `• <${escapeAngles(link)}|${escapeAngles(text)}>`)
  const parts = Array.from({ length: Math.ceil(lines.length / ENTRIES_PER_SECTION) }, (_, index) =>
    lines.slice(index * ENTRIES_PER_SECTION, (index + 1) * ENTRIES_PER_SECTION).join('\n'),
  )
  return parts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }))
}

function plain(text: string, most: number) {
  return { type: 'plain_text', text: cut(text, most), emoji: false }
}
