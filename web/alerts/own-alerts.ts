import { endpointHere } from '../shared/parts/push/subscribe.ts'
import { request } from '../shared/parts/request.ts'
import type { Words } from './words.ts'

/**
 * As the pages of the service write days; their code is in a file of 21 kB that this page needs for
 * nothing else.
 */
const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'Africa/Lagos',
})

interface OwnAlert {
  readonly area: string
  readonly since: string
  readonly link: string
}

/**
 * Lists the alerts of this browser, each with a button that ends it. Shows nothing if there are
 * none.
 */
export async function showOwnAlerts(section: HTMLElement, language: string, words: Words): Promise<void> {
  const endpoint = await endpointHere()
  if (endpoint === null) return
  const { data } = await request<{ data: readonly OwnAlert[] }>('POST', '/v1/push/alerts', {
    body: { endpoint, language },
  })
  const list = section.querySelector('ul') as HTMLElement
  const status = section.querySelector('.status') as HTMLElement
  list.replaceChildren(...data.map(entryOf))
  if (data.length > 0) section.hidden = false

  function entryOf({ area, since, link }: OwnAlert): HTMLElement {
    const entry = document.createElement('li')
    const text = document.createElement('span')
    const name = document.createElement('strong')
    name.textContent = area
    const day = document.createElement('span')
    day.className = 'quiet'
    day.textContent = words('since', { date: DAY.format(new Date(since)) })
    text.append(name, document.createElement('br'), day)
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = words('end')
    button.setAttribute('aria-label', `${words('end')}: ${area}`)
    button.addEventListener('click', () => void end(entry, button, link))
    entry.append(text, button)
    return entry
  }

  async function end(entry: HTMLElement, button: HTMLButtonElement, link: string): Promise<void> {
    button.disabled = true
    try {
      // The public address may differ from the one that this browser uses.
      const response = await fetch(new URL(link).pathname, { method: 'POST', body: new URLSearchParams() })
      // 404: it has ended already, in another page.
      if (!response.ok && response.status !== 404) throw new TypeError(`status ${response.status}`)
      entry.remove()
      status.textContent = words('ended_heading')
      section.querySelector('h2')?.focus()
    } catch (error) {
      console.info('The alert was not ended:', error)
      button.disabled = false
      status.textContent = words('push_failed')
    }
  }
}
