import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../shared/components/icon.tsx'
import { useStore } from '../../shared/store.ts'
import { switchTheme, theme } from '../../shared/theme.ts'
import { initialData } from '../initial-data.ts'
import { Link } from '../parts/link.tsx'
import { person } from '../person.ts'
import { place, VIEWS, type ViewName } from '../view.ts'

export function Bar() {
  const dark = useStore(theme) === 'dark'
  const isSignedIn = useStore(person) !== null
  const current = useStore(place).view
  const tabs = useRef<HTMLElement>(null)
  // On a phone the tabs scroll: the chosen one must be in sight.
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-current]')
    if (tab) tabs.current?.scrollTo({ left: tab.offsetLeft - tabs.current.clientWidth / 2 + tab.offsetWidth / 2 })
  }, [current, isSignedIn])
  return (
    <header class="bar">
      <a class="name" href="/">
        Incident Feed
      </a>
      {isSignedIn && (
        <nav ref={tabs} class="tabs" aria-label="Console">
          {(Object.keys(VIEWS) as ViewName[]).map((name) => (
            <Link key={name} view={name} class="tab" isCurrent={name === current}>
              {VIEWS[name]}
            </Link>
          ))}
        </nav>
      )}
      <span class="grow" />
      {initialData.demo && <span class="pill">Synthetic data</span>}
      <nav class="bar-links" aria-label="Documentation">
        <a href="/docs">Guides</a>
        <a href="/docs/reference">Reference</a>
      </nav>
      <button type="button" class="icon-button" onClick={switchTheme}>
        <Icon name={dark ? 'sun' : 'moon'} />
        <span class="hidden">{dark ? 'Light theme' : 'Dark theme'}</span>
      </button>
    </header>
  )
}
