import type { CDPSession, Page } from 'playwright-core'

/** Reads what the worker of the page shows at present. */
export function shownNotifications(page: Page): Promise<{ title: string; body: string; tag: string }[]> {
  return page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration('/'))!
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
  })
}

/** Hands messages to the worker as Chromium does with those of its push service. */
export async function pushService(page: Page, origin: string) {
  const session: CDPSession = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (found !== undefined) resolve(found.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  return (data: string) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

/**
 * Runs in the page. The one part that is not real: this browser has no push service, so it is given
 * a subscription, which it keeps in all pages.
 */
export function subscribeWith(json: { readonly endpoint: string }): void {
  const subscription = { endpoint: json.endpoint, toJSON: () => json, options: { applicationServerKey: null } }
  const current = () => (localStorage.getItem('subscribed') === null ? null : subscription)
  PushManager.prototype.getSubscription = async () => current() as unknown as PushSubscription | null
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem('subscribed', 'yes')
    return subscription as unknown as PushSubscription
  }
}
