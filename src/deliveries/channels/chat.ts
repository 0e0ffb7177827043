import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Translate } from '../../i18n/translate.ts'
import { type Alert, type AlertEntry, cut } from './alert.ts'

const MAX_HEADER = 150
const MAX_SECTION = 3000
const MAX_FIELD = 2000
const ENTRIES_PER_SECTION = 8

/** An incoming webhook's message in Block Kit. Foreign text is plain: it formats nothing. */
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

const SEVERITY_STYLES = { low: 'default', medium: 'warning', high: 'warning', critical: 'attention' } as const

/** An adaptive card, for the workflow "Post to a channel when a webhook request is received". */
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

/** Parameters of sendMessage. Without tags, an alert is below Telegram's 4,096 characters. */
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
  return `<a href="${escapeHtml(link)}">${escapeAngles(text)}</a>`
}

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const LENGTH = 10

/**
 * The code that the bot writes into a chat, and that an account must know to have messages sent
 * there: otherwise anybody could have them sent to the chats of others. It needs no storage: only
 * who has the bot's token can compute it.
 */
export function telegramCode(botToken: string, accountId: string, chatId: string): string {
  const hash = createHmac('sha256', botToken).update(`incident-feed chat ${accountId} ${chatId}`).digest()
  return Array.from(hash.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

export function isTelegramCode(given: string, expected: string): boolean {
  const bytes = Buffer.from(given.trim().toUpperCase())
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected))
}

/** The parameters of sendMessage with the code; nothing in it was written by the one who asks. */
export function codeMessage(chatId: string, code: string, t: Translate) {
  return { chat_id: chatId, text: t('messages.telegram_code', { code }) }
}

const SEVERITY_COLOURS = { low: 0x5b7083, medium: 0xd29a00, high: 0xdd6b20, critical: 0xc0262d } as const
const RETRACTED = 0x8a8f98

export function colourOf({ kind, severity }: Alert): number {
  return kind === 'retracted' ? RETRACTED : SEVERITY_COLOURS[severity]
}

/** Characters that Markdown of Discord and Teams could read as formatting or as a link. */
const MARKDOWN = /[\\*_~`|<>[\]()#]/g

function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN, '\\$&')
}

/** As Telegram (HTML) and Slack ask for. */
function escapeAngles(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** For text and for attributes between double quotes. */
export function escapeHtml(text: string): string {
  return escapeAngles(text).replaceAll('"', '&quot;')
}
