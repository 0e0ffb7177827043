import type { Alert } from '../alert.ts'
import { webPushHeaders } from '../kinds/webpush.ts'
import { encryptMessage } from './encrypt.ts'
import { type BrowserSubscription, subscriptionOf } from './subscription.ts'

/** Signs messages as this service's. */
export interface PushSigner {
  /** Given to browsers when they subscribe, in base64url. */
  readonly publicKey: string
  /** The header `Authorization` of a message to the endpoint. */
  authorization(endpoint: string, now: number): string
}

/** The headers that every message to a browser has, whatever it says. */
export const PUSH_HEADERS = { 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' } as const

/**
 * Writes a notification so that only the browser can read it (RFC 8291) and only we can have sent
 * it (RFC 8292).
 */
export function pushRequest(target: string, alert: Alert, body: string, push: PushSigner, now: number) {
  const subscription = subscriptionOf(target)
  if (subscription === null)
    return { fault: 'The subscription of the browser is lost. Turn notifications on in it again.' }
  return encryptedRequest(subscription, body, webPushHeaders(alert, subscription), push, now)
}

/** `headers` say how the push service treats the message. */
export function encryptedRequest(
  subscription: BrowserSubscription,
  body: string,
  headers: Readonly<Record<string, string>>,
  push: PushSigner,
  now: number,
) {
  const { endpoint } = subscription
  return {
    url: endpoint,
    body: encryptMessage(Buffer.from(body), subscription),
    headers: { ...PUSH_HEADERS, ...headers, authorization: push.authorization(endpoint, now) },
  }
}
