import { switchTheme } from '../shared/theme.ts'
import { startRunning } from './run.ts'
import { startSearch } from './search.ts'

document.querySelector('.theme')?.addEventListener('click', switchTheme)
startCodeChoice()
startSearch(document.querySelector<HTMLElement>('.search')!)
for (const sample of document.querySelectorAll<HTMLElement>('.sample[data-run]')) startRunning(sample)

/** Makes the choice of a language hold for all samples, on this page and the next ones. */
function startCodeChoice(): void {
  markChosen(document.documentElement.dataset.code ?? 'curl')
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('.sample-bar a') : null
    if (link === null) return
    event.preventDefault()
    choose(link, link.dataset.code!)
  })
}

function choose(link: HTMLElement, code: string): void {
  const before = link.getBoundingClientRect().top
  document.documentElement.dataset.code = code
  markChosen(code)
  try {
    localStorage.setItem('code', code)
  } catch {
    // Without storage the choice holds for this page.
  }
  // Samples above may have another length now: the chosen one stays under the pointer.
  scrollBy({ top: link.getBoundingClientRect().top - before, behavior: 'instant' })
}

function markChosen(code: string): void {
  for (const link of document.querySelectorAll<HTMLElement>('.sample-bar a')) {
    if (link.dataset.code === code) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
