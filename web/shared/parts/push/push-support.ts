/** Whether this browser can show notifications; if not, what stands in the way. */
export type PushSupport = 'ready' | 'denied' | 'home_screen' | 'insecure' | 'unsupported'

/** The parts of a browser that decide it. */
export interface BrowserTraits {
  readonly isSecure: boolean
  readonly hasWorkers: boolean
  readonly hasPush: boolean
  /** `Notification.permission`; null without notifications. */
  readonly permission: string | null
  readonly userAgent: string
  /** An iPad says that it is a Mac, with fingers. */
  readonly touchPoints: number
  readonly isInstalled: boolean
}

export function pushSupport(traits: BrowserTraits): PushSupport {
  if (!traits.isSecure) return 'insecure'
  if (isAppleDevice(traits) && !traits.isInstalled) return 'home_screen'
  if (!traits.hasWorkers || !traits.hasPush || traits.permission === null) return 'unsupported'
  return traits.permission === 'denied' ? 'denied' : 'ready'
}

export function currentTraits(): BrowserTraits {
  return {
    isSecure: isSecureContext,
    hasWorkers: 'serviceWorker' in navigator,
    hasPush: 'PushManager' in globalThis,
    permission: 'Notification' in globalThis ? Notification.permission : null,
    userAgent: navigator.userAgent,
    touchPoints: navigator.maxTouchPoints,
    isInstalled: matchMedia('(display-mode: standalone)').matches,
  }
}

/** On iPhones and iPads, every browser is Safari. */
function isAppleDevice({ userAgent, touchPoints }: BrowserTraits): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1)
}

/** What the owner of the browser is told. */
export const SUPPORT_WORDS: Readonly<Record<PushSupport, string>> = {
  ready:
    'Each incident is shown as a notification on this device, even if no page is open. The browser asks you first.',
  denied:
    'This browser does not allow notifications of this page. Allow them in its settings for this page, then load it again.',
  home_screen:
    'An iPhone or iPad shows notifications only for pages on its home screen: choose Share, then Add to Home Screen, open it from there, and come back to this form.',
  insecure: 'Browsers show notifications only for pages with https.',
  unsupported: 'This browser cannot show notifications of pages.',
}
