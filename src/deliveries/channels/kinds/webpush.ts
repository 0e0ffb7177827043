import { createHmac } from 'node:crypto'
import { CAP_EXPIRY_HOURS } from '../../../formats/cap-tables.ts'
import type { Alert } from '../alert.ts'
import { type BrowserSubscription, bytesOf } from '../push/subscription.ts'
import { cut } from '../text.ts'

/** Push services take 4,096 bytes, encrypted; some carriers less. */
export const MAX_PAYLOAD_BYTES = 3000
/** Characters of each text, tried from the longest: the first that fits is sent. */
const TEXT_LENGTHS = [1200, 600, 300, 150, 60, 20] as const

const DAY_S = 24 * 3600
/** How long a push service keeps the message for a browser that is off; 28 days is the most. */
const LIFETIMES = { new: CAP_EXPIRY_HOURS * 3600, corrected: 28 * DAY_S, retracted: 28 * DAY_S } as const

/** Whether a sleeping device is woken for it. */
const URGENCIES = { low: 'low', medium: 'normal', high: 'high', critical: 'high' } as const

/** A button below the notification, in browsers that show such; it opens a page of this service. */
export interface NotificationAction {
  readonly action: string
  readonly title: string
  readonly navigate: string
}

/**
 * The notification, in the form of declarative web push: Safari shows it by itself, other browsers
 * hand it to the service worker. One incident has one notification: a later one replaces it.
 */
export function webPushBody(alert: Alert, actions: readonly NotificationAction[] = []) {
  for (const length of TEXT_LENGTHS) {
    const body = bodyOf(alert, length, actions)
    if (Buffer.byteLength(JSON.stringify(body)) <= MAX_PAYLOAD_BYTES) return body
  }
  throw new RangeError(`the notification of ${alert.link} does not fit into ${MAX_PAYLOAD_BYTES} bytes`)
}

function bodyOf(alert: Alert, length: number, actions: readonly NotificationAction[]) {
  const { incidentId, language, title, summary, facts, advice, adviceLabel, note, link, footer, kind } = alert
  const texts = [
    summary,
    facts.map(({ label, value }) => `${label}: ${cut(value, length)}`).join('\n'),
    advice === null ? null : `${adviceLabel}: ${advice}`,
    note,
    footer,
  ]
  return {
    web_push: 8030,
    notification: {
      title: cut(title, length),
      body: texts.flatMap((text, index) => (text === null ? [] : [index === 1 ? text : cut(text, length)])).join('\n'),
      lang: language,
      dir: 'ltr',
      tag: incidentId,
      navigate: link,
      data: { kind },
      ...(actions.length === 0 ? {} : { actions }),
    },
  }
}

/** The headers by which a push service treats the message. */
export function webPushHeaders(
  { kind, severity, incidentId, entries }: Alert,
  { auth }: BrowserSubscription,
): Record<string, string> {
  return {
    // A digest may withdraw something.
    ttl: String(entries.length > 0 ? LIFETIMES.retracted : LIFETIMES[kind]),
    urgency: kind === 'retracted' ? 'normal' : URGENCIES[severity],
    // A message that waits is replaced by a later one of the same incident. Hashed with the
    // browser's secret: the push service is not told what its user is warned of.
    topic: createHmac('sha256', bytesOf(auth)).update(incidentId).digest('base64url').slice(0, 32),
  }
}
