import {
  currentTraits,
  endpointHere,
  type PushSupport,
  pushSupport,
  SubscriptionRefused,
  subscribeHere,
} from '../shared/parts/push.ts'
import { RequestError, request } from '../shared/parts/request.ts'

const NOTES: Readonly<Record<PushSupport, string>> = {
  ready: 'push_ready',
  denied: 'push_denied',
  home_screen: 'push_home_screen',
  insecure: 'push_unsupported',
  unsupported: 'push_unsupported',
}

/**
 * Adds to the page what needs a script: notifications in this browser, and the list of its alerts.
 */
function improve(): void {
  const page = document.querySelector<HTMLElement>('.alerts')
  const mine = document.querySelector<HTMLElement>('#mine')
  if (page === null || mine === null) return
  const words = readWords(page)
  const { language = 'en' } = page.dataset
  // Without an answer there is no list: the links in notifications and the form still work.
  const list = () =>
    showOwnAlerts(mine, language, words).catch((error: unknown) => console.info('The alerts were not read:', error))
  void list()
  const here = document.querySelector<HTMLElement>('#here')
  if (here === null) return
  const support = pushSupport(currentTraits())
  const note = here.querySelector('.push-note') as HTMLElement
  const button = here.querySelector('button') as HTMLButtonElement
  note.textContent = words(NOTES[support])
  const isReady = support === 'ready'
  button.hidden = !isReady
  ;(here.querySelector('.promise') as HTMLElement).hidden = !isReady
  // A browser that cannot is told so only where there is no other way.
  const canNever = NOTES[support] === 'push_unsupported'
  here.hidden = canNever && here.dataset.only === undefined
  button.addEventListener('click', () => {
    void startHere(here, language, words).then((isStarted) => (isStarted ? list() : undefined))
  })
}

/** Has this browser notified of the area of the page. Returns whether it is. */
async function startHere(section: HTMLElement, language: string, words: Words): Promise<boolean> {
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

function reasonOf(error: unknown): string {
  if (error instanceof SubscriptionRefused && error.reason === 'not_allowed') return 'push_not_allowed'
  if (error instanceof RequestError && error.code === 'rate_limited') return 'too_often'
  if (error instanceof RequestError && error.code === 'too_many_alerts') return 'push_too_many'
  return 'push_failed'
}

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
async function showOwnAlerts(section: HTMLElement, language: string, words: Words): Promise<void> {
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

/** The sentences that the page hands to its script, in its own language. */
type Words = (name: string, values?: Readonly<Record<string, string>>) => string

function readWords(page: HTMLElement): Words {
  const words = JSON.parse(page.dataset.words ?? '{}') as Readonly<Record<string, string>>
  return (name, values = {}) =>
    (words[name] ?? '').replaceAll(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder)
}

improve()
