import type { Language } from '../../../domain/languages.ts'
import { type BrowserSubscription, subscriptionText } from './subscription.ts'

/** What the watch of an alert without an account has besides the subscription of its browser. */
export interface BrowserAlert {
  /** The random part of its link: whoever has it can end the alert. */
  readonly key: string
  /** The area in the reader's words: a watch without an account has no name. */
  readonly label: string
}

interface StoredTarget {
  readonly language?: Language
  readonly alert?: BrowserAlert
}

/** The text that is stored as the secret of the watch of an alert. */
export function browserAlertText(subscription: BrowserSubscription, language: Language, alert: BrowserAlert): string {
  return withSubscription(JSON.stringify({ language, alert } satisfies StoredTarget), subscription)
}

/** Null for a watch of an account. */
export function browserAlertOf(target: string): BrowserAlert | null {
  return storedTarget(target).alert ?? null
}

/** The same target for another subscription: what else is stored stays. */
export function withSubscription(target: string, subscription: BrowserSubscription): string {
  const { endpoint, keys } = JSON.parse(subscriptionText(subscription)) as Record<string, unknown>
  return JSON.stringify({ ...storedTarget(target), endpoint, keys })
}

/** Empty if the secret of the watch was lost, and another put in its place. */
function storedTarget(text: string): StoredTarget {
  return text.startsWith('{') ? (JSON.parse(text) as StoredTarget) : {}
}
