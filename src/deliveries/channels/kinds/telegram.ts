import type { Alert, AlertEntry } from '../alert.ts'
import { escapeAngles } from '../text.ts'

/**
 * The parameters of sendMessage. An alert has under 4,096 characters, which Telegram counts without
 * tags.
 */
export function telegramBody(alert: Alert, chatId: string) {
  const { title, summary, entries, facts, advice, adviceLabel, note, link, linkText, footer } = alert
  const parts = [
    `<b>${escapeAngles(title)}</b>`,
    entries.length > 0 ? entries.map((entry) => `• ${anchor(entry)}`).join('\n') : null,
    summary === null || entries.length > 0 ? null : escapeAngles(summary),
    facts.map(({ label, value }) => `<b>${escapeAngles(label)}:</b> ${escapeAngles(value)}`).join('\n'),
    advice === null ? null : `<b>${escapeAngles(adviceLabel)}:</b> ${escapeAngles(advice)}`,
    anchor({ link, text: linkText }),
    `<i>${escapeAngles(note)}\n${escapeAngles(footer)}</i>`,
  ]
  return {
    chat_id: chatId,
    text: parts.filter((part) => part !== null).join('\n\n'),
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  }
}

function anchor({ link, text }: AlertEntry): string {
  return `<a href="${escapeAngles(link).replaceAll('"', '&quot;')}">${escapeAngles(text)}</a>`
}
