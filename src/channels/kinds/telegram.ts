import type { Alert } from '../alert.ts'
import { escapeAngles } from '../text.ts'

/** The parameters of sendMessage. An alert has under 4,096 characters, which Telegram counts without tags. */
export function telegramBody(alert: Alert, chatId: string) {
  const { title, summary, facts, advice, note, link, footer } = alert
  const parts = [
    `<b>${escapeAngles(title)}</b>`,
    summary === null ? null : escapeAngles(summary),
    facts.map(({ label, value }) => `<b>${label}:</b> ${escapeAngles(value)}`).join('\n'),
    advice === null ? null : `<b>What to do:</b> ${escapeAngles(advice)}`,
    `<a href="${escapeAngles(link).replaceAll('"', '&quot;')}">Open the incident</a>`,
    `<i>${escapeAngles(note)}\n${escapeAngles(footer)}</i>`,
  ]
  return {
    chat_id: chatId,
    text: parts.filter((part) => part !== null).join('\n\n'),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  }
}
