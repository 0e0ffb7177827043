import type { Alert } from '../alert.ts'
import { cut, escapeMarkdown } from '../text.ts'
import { colourOf } from './colours.ts'

/** Discord's own limits; all texts of an embed together may have 6,000 characters. */
const MAX_TITLE = 256
const MAX_DESCRIPTION = 2000
const MAX_VALUE = 250
const MAX_ADVICE = 900
const MAX_FOOTER = 600

/** A message of a webhook: one embed, and nobody is mentioned whatever the text says. */
export function discordBody(alert: Alert) {
  const { title, facts, advice, adviceLabel, note, link, footer } = alert
  const description = descriptionOf(alert)
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(escapeMarkdown(title), MAX_TITLE),
        url: link,
        ...(description === null ? {} : { description }),
        color: colourOf(alert),
        fields: [
          ...facts.map(({ label, value }) => field(label, value, true)),
          ...(advice === null ? [] : [field(adviceLabel, advice, false)]),
        ],
        footer: { text: cut(`${note} ${footer}`, MAX_FOOTER) },
      },
    ],
  }
}

/** Links are not cut: an alert has as many entries as fit into 4,096 characters. */
function descriptionOf({ summary, entries }: Alert): string | null {
  if (entries.length > 0) return entries.map(({ text, link }) => `• [${escapeMarkdown(text)}](${link})`).join('\n')
  return summary === null ? null : cut(escapeMarkdown(summary), MAX_DESCRIPTION)
}

function field(name: string, value: string, inline: boolean) {
  return { name, value: cut(escapeMarkdown(value), inline ? MAX_VALUE : MAX_ADVICE), inline }
}
