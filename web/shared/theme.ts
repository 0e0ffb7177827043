import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

const darkQuery = matchMedia('(prefers-color-scheme: dark)')

/** The theme that the reader has chosen, else the one that their system prefers. */
export const theme = createStore<Theme>(chosenTheme() ?? systemTheme())

darkQuery.addEventListener('change', () => {
  if (chosenTheme() === null) theme.set(systemTheme())
})

export function switchTheme(): void {
  const next = theme.get() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  try {
    localStorage.setItem('theme', next)
  } catch {
    // Without storage the choice holds until the page is closed.
  }
  theme.set(next)
}

function systemTheme(): Theme {
  return darkQuery.matches ? 'dark' : 'light'
}

function chosenTheme(): Theme | null {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || theme === 'light' ? theme : null
}
