import { SubscriptionRefused, subscribeHere } from '../shared/parts/push/subscribe.ts'
import { RequestError, request } from '../shared/parts/request.ts'
import type { Words } from './words.ts'

/** Has this browser notified of the area of the page. Returns whether it is. */
export async function startHere(section: HTMLElement, language: string, words: Words): Promise<boolean> {
  const button = section.querySelector('button') as HTMLButtonElement
  const status = section.querySelector('.status') as HTMLElement
  button.disabled = true
  status.textContent = words('push_working')
  try {
    const filter = JSON.parse(section.dataset.filter ?? '{}') as object
    const push = await subscribeHere()
    await request('POST', '/v1/alerts', { body: { push, filter, language } })
    status.textContent = words('push_done')
    return true
  } catch (error) {
    console.info('The alert was not started:', error)
    button.disabled = false
    status.textContent = words(reasonOf(error))
    return false
  }
}

export function reasonOf(error: unknown): string {
  if (error instanceof SubscriptionRefused && error.reason === 'not_allowed') return 'push_not_allowed'
  if (error instanceof RequestError && error.code === 'rate_limited') return 'too_often'
  if (error instanceof RequestError && error.code === 'too_many_alerts') return 'push_too_many'
  return 'push_failed'
}
