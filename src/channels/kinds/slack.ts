import type { Alert } from '../alert.ts'
import { cut, escapeAngles } from '../text.ts'

const MAX_HEADER = 150
const MAX_SECTION = 3000
const MAX_FIELD = 2000

/** A message of an incoming webhook, in Block Kit. What others wrote is plain text: it formats nothing. */
export function slackBody(alert: Alert) {
  const { title, summary, facts, advice, note, link, footer } = alert
  return {
    // Shown in notifications, and read aloud.
    text: escapeAngles(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, MAX_HEADER) },
      ...(summary === null ? [] : [{ type: 'section', text: plain(summary, MAX_SECTION) }]),
      { type: 'section', fields: facts.map(({ label, value }) => plain(`${label}\n${value}`, MAX_FIELD)) },
      ...(advice === null ? [] : [{ type: 'section', text: plain(`What to do\n${advice}`, MAX_SECTION) }]),
      { type: 'section', text: { type: 'mrkdwn', text: `<${escapeAngles(link)}|Open the incident>` } },
      { type: 'context', elements: [plain(note, MAX_FIELD), plain(footer, MAX_FIELD)] },
    ],
  }
}

function plain(text: string, most: number) {
  return { type: 'plain_text', text: cut(text, most), emoji: false }
}
