/** Of this tab only: closing it forgets the key. */
const STORED_AS = 'docs-key'
const VARIABLE = /\$([A-Z][A-Z0-9_]*)/g

/** Adds "Run it" to a sample that only reads. The request goes to this service and nowhere else. */
export function startRunning(sample: HTMLElement): void {
  const path = sample.dataset.run!
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Run it'
  sample.querySelector('.sample-bar')!.append(button)
  button.addEventListener('click', () => {
    const names = ['KEY', ...new Set([...path.matchAll(VARIABLE)].map(([, name]) => name!))]
    const form = sample.querySelector<HTMLFormElement>('.run-form') ?? addForm(sample, names)
    const missing = [...form.querySelectorAll('input')].find(({ value }) => value.trim() === '')
    if (missing) missing.focus()
    else form.requestSubmit()
  })
}

function addForm(sample: HTMLElement, names: readonly string[]): HTMLFormElement {
  const form = document.createElement('form')
  form.className = 'run-form'
  // Without a button, Enter sends only a form with a single field.
  const send = document.createElement('button')
  send.textContent = 'Send'
  form.append(...names.map(fieldFor), send, noteOnKeys())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(sample, form)
  })
  sample.append(form)
  return form
}

function fieldFor(name: string): HTMLElement {
  const label = document.createElement('label')
  const input = document.createElement('input')
  input.name = name
  input.required = true
  input.autocomplete = 'off'
  input.spellcheck = false
  if (name === 'KEY') {
    input.type = 'password'
    input.value = storedKey()
  }
  label.append(name === 'KEY' ? 'Your key' : name, input)
  return label
}

function storedKey(): string {
  try {
    return sessionStorage.getItem(STORED_AS) ?? ''
  } catch {
    return ''
  }
}

function storeKey(key: string): void {
  try {
    sessionStorage.setItem(STORED_AS, key)
  } catch {
    // Without storage the reader types it again for the next sample.
  }
}

function noteOnKeys(): HTMLElement {
  const note = document.createElement('p')
  note.className = 'quiet'
  note.textContent = 'The key stays in this tab, and is sent to this service only.'
  return note
}

async function run(sample: HTMLElement, form: HTMLFormElement): Promise<void> {
  const values = Object.fromEntries(
    [...form.querySelectorAll('input')].map(({ name, value }) => [name, value.trim()] as const),
  )
  const { KEY: key = '', ...others } = values
  storeKey(key)
  const path = sample.dataset.run!.replaceAll(VARIABLE, (_whole, name: string) =>
    encodeURIComponent(others[name] ?? ''),
  )
  const answer = answerArea(sample)
  answer.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(path, {
      headers: { Authorization: `Bearer ${key}` },
      credentials: 'omit',
      cache: 'no-store',
    })
    show(answer, `${response.status} ${response.statusText}`.trim(), await readAnswer(response))
  } catch {
    show(answer, 'The service did not answer. Try again in a moment.', '')
  }
  answer.removeAttribute('aria-busy')
}

function answerArea(sample: HTMLElement): HTMLElement {
  const present = sample.querySelector<HTMLElement>('.run-answer')
  if (present) return present
  const area = document.createElement('div')
  area.className = 'run-answer'
  area.setAttribute('role', 'status')
  sample.append(area)
  return area
}

function show(area: HTMLElement, status: string, content: string): void {
  const line = document.createElement('p')
  line.textContent = status
  const text = document.createElement('pre')
  text.tabIndex = 0
  text.textContent = content
  area.replaceChildren(line, ...(content === '' ? [] : [text]))
}

const MOST_BYTES = 100_000

/** The body as text for people: JSON indented, bytes counted, and long ones cut. */
async function readAnswer(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? ''
  const { bytes, isWhole } = await readBeginning(response)
  if (bytes.length === 0) return ''
  if (!/json|text|xml/.test(type)) return `${bytes.length}${isWhole ? '' : ' or more'} bytes of ${type}`
  const text = new TextDecoder().decode(bytes)
  if (!isWhole) return `${text}\n… (the rest is not shown)`
  return /[/+]json/.test(type) ? indented(text) : text
}

async function readBeginning(response: Response): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let isWhole = true
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    size += value.length
    if (size > MOST_BYTES) {
      isWhole = false
      await reader.cancel()
      break
    }
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return { bytes, isWhole }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
