import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** What the reader has chosen, or else what their system prefers. */
export const theme = createStore<Theme>(chosen() ?? preferred())

dark.addEventListener('change', () => {
  if (chosen() === null) theme.set(preferred())
})

export function switchTheme(): void {
  const next = theme.get() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  try {
    localStorage.setItem('theme', next)
  } catch {
    // A browser that keeps nothing for us still shows the theme until it is closed.
  }
  theme.set(next)
}

function preferred(): Theme {
  return dark.matches ? 'dark' : 'light'
}

function chosen(): Theme | null {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || theme === 'light' ? theme : null
}
