/** The search above the navigation: `/` enters it, arrows choose, Enter opens, Escape leaves. */
export function startSearch(area: HTMLElement): void {
  const input = area.querySelector('input')!
  const list = area.querySelector('ul')!
  let entries: Promise<readonly SearchEntry[]> | null = null
  let found: readonly SearchEntry[] = []
  let chosen = 0

  const load = () => {
    entries ??= fetchEntries()
    // A failed load is tried again at the next letter.
    entries.catch(() => {
      entries = null
    })
    return entries
  }

  const show = (results: readonly SearchEntry[], note = NOTHING_FOUND) => {
    found = results
    chosen = 0
    list.replaceChildren(...results.map(optionFor))
    const isOpen = input.value.trim() !== ''
    if (isOpen && results.length === 0) list.append(noteFor(note))
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    mark()
  }

  const mark = () => {
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(index === chosen && found.length > 0))
    }
    if (found.length === 0) return input.removeAttribute('aria-activedescendant')
    input.setAttribute('aria-activedescendant', `result-${chosen}`)
    list.children[chosen]!.scrollIntoView({ block: 'nearest' })
  }

  const open = (index: number) => {
    const address = found[index]?.[2]
    if (address === undefined) return
    show([])
    list.hidden = true
    location.assign(address)
  }

  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => {
      chosen = (chosen + 1) % Math.max(found.length, 1)
    },
    ArrowUp: () => {
      chosen = (chosen + found.length - 1) % Math.max(found.length, 1)
    },
    Enter: () => open(chosen),
    Escape: () => {
      input.value = ''
      show([])
      input.blur()
    },
  }

  // Ahead of the first letter, which tells a failure.
  input.addEventListener('focus', () => void load().catch(() => {}))
  input.addEventListener('input', async () => {
    const question = input.value
    const all = await load().catch(() => null)
    if (input.value !== question) return
    if (all === null) show([], NOT_LOADED)
    else show(rank(all, question))
  })
  input.addEventListener('keydown', (event) => {
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
    mark()
  })
  input.addEventListener('blur', () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
  })
  // Before the input loses the focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest('[role=option]')
    if (option !== null) open([...list.children].indexOf(option))
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || isWriting(event.target)) return
    event.preventDefault()
    input.focus()
  })
}

const NOTHING_FOUND = 'Nothing found. Try fewer or other words.'
const NOT_LOADED = 'The search could not be loaded. Check your connection, then type another letter.'

async function fetchEntries(): Promise<readonly SearchEntry[]> {
  const response = await fetch('/docs/search.json')
  if (!response.ok) throw new Error(`the index of the search is answered with ${response.status}`)
  return (await response.json()) as SearchEntry[]
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
}

function optionFor([title, place]: SearchEntry, index: number): HTMLElement {
  const option = document.createElement('li')
  option.id = `result-${index}`
  option.setAttribute('role', 'option')
  const where = document.createElement('span')
  where.textContent = place
  option.append(title, where)
  return option
}

function noteFor(text: string): HTMLElement {
  const option = document.createElement('li')
  option.setAttribute('role', 'option')
  option.setAttribute('aria-disabled', 'true')
  option.textContent = text
  return option
}

/** Title, place in the documents, address, and further words that lead to it. */
export type SearchEntry = readonly [title: string, place: string, address: string, words: string]

const MOST_RESULTS = 12

/** The best entries for a question first. Every word of it must begin a word of the entry. */
export function rank(entries: readonly SearchEntry[], question: string): readonly SearchEntry[] {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: score(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry)
}

/** 0 if a word is missing. A title counts more than a place, a place more than the other words. */
function score([title, place, , more]: SearchEntry, words: readonly string[]): number {
  const parts = [
    { text: ` ${wordsOf(title).join(' ')} `, weight: 8 },
    { text: ` ${wordsOf(place).join(' ')} `, weight: 3 },
    { text: ` ${more.toLowerCase()} `, weight: 1 },
  ]
  let sum = 0
  for (const word of words) {
    const best = Math.max(
      ...parts.map(({ text, weight }) =>
        text.includes(` ${word} `) ? weight * 1.5 : text.includes(` ${word}`) ? weight : 0,
      ),
    )
    if (best === 0) return 0
    sum += best
  }
  return sum / wordsOf(title).length ** 0.25
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
