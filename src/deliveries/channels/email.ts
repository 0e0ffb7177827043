import type { Language } from '../../domain/languages.ts'
import type { Translate } from '../../i18n/translate.ts'
import type { Alert, ChannelMessage } from './alert.ts'
import { colourOf, escapeHtml } from './chat.ts'
import { type EmailTarget, emailTargetOf, linkPath, linkToken, pageAddress } from './target.ts'

/** One mail, ready to be sent. */
export interface ChannelMail {
  readonly to: string
  readonly subject: string
  readonly language: Language
  readonly text: string
  readonly html: string
  /** Without angle brackets, the same at every retry: who gets it twice sees it once. */
  readonly messageId: string
  /** The mail that it is an answer to, for programs that show both together; null for the first. */
  readonly parentId: string | null
  /** POST there ends the messages, without a question (RFC 8058). */
  readonly unsubscribeUrl: string
}

/** The mail of an event. Corrections are answers to the mail that told of the incident first. */
export function emailOf(
  alert: Alert,
  message: Pick<ChannelMessage, 'id' | 'watchId' | 'watchName' | 'test' | 'others'>,
  target: EmailTarget,
  publicUrl: string,
  t: Translate,
): ChannelMail {
  const { id, watchId, test } = message
  const { hostname } = new URL(publicUrl)
  const firstId = `${alert.incidentId}.${watchId}@${hostname}`
  const isFirst = alert.kind === 'new' && !test
  const watches = readWatches(message, target)
  const urlOf = (...tokens: readonly string[]) => pageAddress(publicUrl, linkPath(tokens), alert.language)
  const unsubscribeUrl = urlOf(...watches.map(({ token }) => token))
  const ending = endingOf(watches, urlOf, t)
  return {
    to: target.to,
    subject: alert.title,
    language: alert.language,
    text: textOf(alert, ending),
    html: htmlOf(alert, ending),
    messageId: isFirst ? firstId : `${id}@${hostname}`,
    parentId: isFirst || test ? null : firstId,
    unsubscribeUrl,
  }
}

/** A watch that the mail is for. */
interface ReadWatch {
  readonly name: string
  readonly isAlert: boolean
  readonly token: string
}

function readWatches(
  { watchId, watchName, others = [] }: Pick<ChannelMessage, 'watchId' | 'watchName' | 'others'>,
  target: EmailTarget,
): ReadWatch[] {
  const watches = [
    { watchId, watchName, target },
    // Each was read before the mail was put together.
    ...others.map((other) => ({ ...other, target: emailTargetOf(other.target)! })),
  ]
  return watches.map((watch) => ({
    name: watch.target.label ?? watch.watchName,
    isAlert: watch.target.label !== null,
    token: linkToken(watch.watchId, watch.target.key),
  }))
}

/** Says why the reader gets the mail, and how to get no more. */
interface Ending {
  readonly reason: string
  /** Of each watch; if there are several, the last one ends all, as the header of the mail does. */
  readonly links: readonly { readonly text: string; readonly url: string }[]
}

function endingOf(
  watches: readonly ReadWatch[],
  urlOf: (...tokens: readonly string[]) => string,
  t: Translate,
): Ending {
  const [{ name, isAlert, token }, ...others] = watches as [ReadWatch, ...ReadWatch[]]
  const link = t(isAlert ? 'messages.end_alert' : 'alerts.pause')
  if (others.length === 0)
    return {
      reason: isAlert ? t('messages.asked_for', { area: name }) : t('messages.because_of_watch', { name }),
      links: [{ text: link, url: urlOf(token) }],
    }
  const names = watches.map((watch) => `“${watch.name}”`).join(', ')
  const links = watches.map((watch) => ({ text: `${link}: “${watch.name}”`, url: urlOf(watch.token) }))
  return {
    reason: isAlert ? t('messages.asked_for', { area: names }) : t('messages.because_of_watches', { names }),
    links: [...links, { text: t('alerts.stop_all'), url: urlOf(...watches.map((watch) => watch.token)) }],
  }
}

function textOf(alert: Alert, ending: Ending): string {
  const { title, summary, entries, facts, advice, adviceLabel, note, link, linkText } = alert
  const parts = [
    title,
    entries.length === 0 ? summary : entries.map((entry) => `* ${entry.text}\n  ${entry.link}`).join('\n'),
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    advice === null ? null : `${adviceLabel}: ${advice}`,
    `${linkText}: ${link}`,
    note,
    `-- \nIncident Feed\n${ending.reason}\n${ending.links.map(({ text, url }) => `${text}: ${url}`).join('\n')}`,
  ]
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`
}

/** Programs that know no media queries show the light colours, which are in each element. */
const DARK = `@media (prefers-color-scheme:dark){.page{background:#14171b!important}.card{background:#1b1f24!important;border-right-color:#2c333b!important;border-bottom-color:#2c333b!important;border-left-color:#2c333b!important}.ink{color:#e8eaed!important}.quiet{color:#9aa4af!important}.advice{background:#26303a!important}.button{background:#4fc3a8!important;color:#10201c!important}}`
const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

function htmlOf(alert: Alert, ending: Ending): string {
  const { language, title, facts, advice, adviceLabel, note, link, linkText } = alert
  const colour = `#${colourOf(alert).toString(16).padStart(6, '0')}`
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><th class="quiet" scope="row" style="padding:3px 16px 3px 0;text-align:left;vertical-align:top;font-weight:normal;color:#5d6570">${escapeHtml(label)}</th><td class="ink" style="padding:3px 0;vertical-align:top;color:#1d2126">${escapeHtml(value)}</td></tr>`,
  )
  const links = ending.links.map(
    ({ text, url }) => `<a class="quiet" href="${escapeHtml(url)}" style="color:#5d6570">${escapeHtml(text)}</a>`,
  )
  const advised =
    advice === null
      ? ''
      : `<div class="advice ink" style="margin:0 0 20px;padding:12px 16px;border-radius:6px;background:#eef3f1;color:#1d2126"><strong>${escapeHtml(adviceLabel)}</strong><br>${escapeHtml(advice)}</div>`
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${DARK}</style></head>
<body class="page" style="margin:0;padding:0;background:#f4f2ec"><div role="main"><table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f2ec"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border:1px solid #dcd8cf;border-radius:8px;border-top:5px solid ${colour};${FONT};font-size:15px;line-height:1.5"><tr><td style="padding:24px">
<h1 class="ink" style="margin:0 0 12px;font-size:21px;line-height:1.25;color:#1d2126">${escapeHtml(title)}</h1>
${contentOf(alert)}
<table cellpadding="0" cellspacing="0" style="margin:0 0 20px;font-size:15px;line-height:1.4">${rows.join('')}</table>
${advised}<p style="margin:0 0 20px"><a class="button" href="${escapeHtml(link)}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:#0b6b58;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(linkText)}</a></p>
<p ${alert.kind === 'new' ? 'class="quiet" style="margin:0;font-size:13px;color:#5d6570"' : 'class="ink" style="margin:0;font-weight:600;color:#1d2126"'}>${escapeHtml(note)}</p></td></tr></table>
<p class="quiet" style="max-width:600px;margin:16px auto 0;${FONT};font-size:13px;line-height:1.5;color:#5d6570">Incident Feed · ${escapeHtml(ending.reason)}<br>${links.join('<br>')}</p>
</td></tr></table></div></body></html>`
}

function contentOf({ summary, entries }: Alert): string {
  if (entries.length > 0) {
    const items = entries.map(
      ({ text, link }) =>
        `<li style="margin:0 0 8px"><a class="ink" href="${escapeHtml(link)}" style="color:#1d2126">${escapeHtml(text)}</a></li>`,
    )
    return `<ul class="ink" style="margin:0 0 20px;padding:0 0 0 20px;color:#1d2126;overflow-wrap:anywhere">${items.join('')}</ul>`
  }
  if (summary === null) return ''
  return `<p class="ink" style="margin:0 0 20px;color:#1d2126;overflow-wrap:anywhere">${escapeHtml(summary)}</p>`
}
