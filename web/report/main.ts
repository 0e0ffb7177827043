import { PinMap, type Point, type Words } from './pin-map.ts'
import { solve } from './proof-of-work.ts'

/** Improves the form that the page has, and each that the service answers with. */
function improve(): void {
  const form = document.querySelector<HTMLFormElement>('.report form')
  if (form === null) return
  const words = JSON.parse(form.dataset.words ?? '{}') as Words
  startPointField(form, words)
  sendWithoutLeaving(form, words, improve)
}

/**
 * Sends the form and shows the answer in this page: on a bad line the browser would leave it, and
 * what was written would be lost. A repetition is safe: the service stores each form once.
 */
function sendWithoutLeaving(form: HTMLFormElement, words: Words, onAnswer: () => void): void {
  const button = form.querySelector('button:not(.plain)') as HTMLButtonElement
  const status = form.querySelector('.status') as HTMLElement
  let work: Promise<void> | null = null
  // The work begins with the first letter: who only reads the page spends no battery.
  form.addEventListener('input', () => void prove(), { once: true })

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!button.disabled) void send()
  })

  function prove(): Promise<void> {
    const challenge = form.elements.namedItem('challenge') as HTMLInputElement
    const solutions = form.elements.namedItem('solutions') as HTMLInputElement
    if (solutions.value !== '' || challenge.value === '') return Promise.resolve()
    work ??= solve(challenge.value).then((found) => {
      solutions.value = found.join(',')
    })
    return work
  }

  async function send(): Promise<void> {
    button.disabled = true
    show(words.sending ?? '', false)
    try {
      await prove()
      // `RequestInit` takes the pairs of a form as a body; files are not among them.
      const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
      const response = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } })
      if (!response.headers.get('content-type')?.startsWith('text/html')) throw new TypeError('no page came')
      showAnswer(new DOMParser().parseFromString(await response.text(), 'text/html'))
      onAnswer()
    } catch (error) {
      console.info('The form was not sent:', error)
      button.disabled = false
      show(words.offline ?? '', true)
    }
  }

  function show(text: string, failed: boolean): void {
    status.textContent = text
    status.classList.toggle('failed', failed)
  }
}

function showAnswer(answer: Document): void {
  document.title = answer.title
  document.querySelector('main')!.replaceWith(answer.querySelector('main')!)
  scrollTo(0, 0)
  document.querySelector<HTMLElement>('.faults, h1')?.focus()
}

/** To about a kilometre: where the phone is says more of its owner than of the event. */
const POSITION_DIGITS = 2
const PIN_DIGITS = 3
const POSITION_TIMEOUT_MS = 20_000

/** Offers the phone's position and a pin on a map, instead of a name. */
function startPointField(form: HTMLFormElement, words: Words): void {
  const box = form.querySelector<HTMLElement>('.point')
  if (box === null) return
  const lat = form.elements.namedItem('lat') as HTMLInputElement
  const lng = form.elements.namedItem('lng') as HTMLInputElement
  const said = box.appendChild(document.createElement('p'))
  said.setAttribute('role', 'status')
  // Browsers tell secure pages only where they are.
  const here = isSecureContext && 'geolocation' in navigator ? addButton(words.here) : null
  if (here !== null) here.title = words.here_hint ?? ''
  const pin = addButton(words.pin)
  const remove = addButton(words.point_remove)
  let map: PinMap | null = null
  show(taken(null))

  here?.addEventListener('click', () => {
    here.disabled = true
    const finish = (text: string) => {
      here.disabled = false
      show(text)
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        take({ lat: coords.latitude, lng: coords.longitude }, POSITION_DIGITS)
        finish(`${taken(null)}. ${words.here_hint}`)
      },
      () => finish(words.here_failed ?? ''),
      { timeout: POSITION_TIMEOUT_MS, maximumAge: 60_000 },
    )
  })

  pin.addEventListener('click', async () => {
    if (map !== null) return closeMap()
    pin.disabled = true
    try {
      map = await PinMap.open(words, lat.value === '' ? null : { lat: Number(lat.value), lng: Number(lng.value) })
    } catch (error) {
      console.info('The map was not loaded:', error)
      show(words.pin_failed ?? '')
      return
    } finally {
      pin.disabled = false
    }
    map.onTake = (point, near) => {
      take(point, PIN_DIGITS)
      closeMap()
      show(taken(near))
      pin.focus()
    }
    pin.setAttribute('aria-expanded', 'true')
    box.append(map.element)
    map.focus()
  })

  remove.addEventListener('click', () => {
    lat.value = ''
    lng.value = ''
    show('')
    pin.focus()
  })

  function closeMap(): void {
    map?.element.remove()
    map = null
    pin.setAttribute('aria-expanded', 'false')
  }

  function take(point: Point, digits: number): void {
    lat.value = point.lat.toFixed(digits)
    lng.value = point.lng.toFixed(digits)
    // As a letter does: the work begins.
    form.dispatchEvent(new Event('input'))
  }

  function taken(place: string | null): string {
    if (lat.value === '') return ''
    const point = `${lat.value}, ${lng.value}`
    return place === null ? fill(words.point, { point }) : fill(words.point_near, { point, place })
  }

  function show(text: string): void {
    said.textContent = text
    remove.hidden = lat.value === ''
  }

  function addButton(label: string | undefined): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = label ?? ''
    box!.append(button)
    return button
  }
}

function fill(sentence: string | undefined, values: Readonly<Record<string, string>>): string {
  return (sentence ?? '').replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}

improve()
