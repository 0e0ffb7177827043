import type { Alert, AlertEntry } from '../alert.ts'
import { escapeMarkdown } from '../text.ts'

const SEVERITY_STYLES = { low: 'default', medium: 'warning', high: 'warning', critical: 'attention' } as const

/**
 * A message with an adaptive card, as the workflow "Post to a channel when a webhook request is
 * received" takes it.
 */
export function teamsBody(alert: Alert) {
  const { kind, severity, title, summary, entries, facts, advice, adviceLabel, note, link, linkText, footer } = alert
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            {
              type: 'TextBlock',
              text: escapeMarkdown(title),
              weight: 'bolder',
              size: 'large',
              wrap: true,
              color: kind === 'retracted' ? 'default' : SEVERITY_STYLES[severity],
            },
            ...entries.map(entryText),
            ...(summary === null || entries.length > 0 ? [] : [richText(summary, {})]),
            {
              type: 'FactSet',
              facts: facts.map(({ label, value }) => ({ title: label, value: escapeMarkdown(value) })),
            },
            ...(advice === null ? [] : [richText(`${adviceLabel}: ${advice}`, { weight: 'bolder' })]),
            richText(note, { isSubtle: true, size: 'small' }),
            richText(footer, { isSubtle: true, size: 'small' }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: linkText, url: link }],
        },
      },
    ],
  }
}

/** Text runs know no Markdown, so what others wrote cannot become a link. */
function richText(text: string, style: Readonly<Record<string, string | boolean>>) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] }
}

function entryText({ text, link }: AlertEntry) {
  const selectAction = { type: 'Action.OpenUrl', url: link }
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: `• ${text}`, selectAction }] }
}
