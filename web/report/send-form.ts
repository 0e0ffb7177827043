import { solve } from './solve.ts'
import type { Words } from './words.ts'

/**
 * Sends the form and shows the answer in this page: on a bad line the browser would leave it, and
 * what was written would be lost. A repetition is safe: the service stores each form once.
 */
export function sendWithoutLeaving(form: HTMLFormElement, words: Words, onAnswer: () => void): void {
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
