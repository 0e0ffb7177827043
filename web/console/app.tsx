import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../shared/components.tsx'
import { Button, typed, useTabInSight } from '../shared/parts/controls.tsx'
import { useStore } from '../shared/store.ts'
import { switchTheme, theme } from '../shared/theme.ts'
import { AccountView } from './account-view.tsx'
import { useAction } from './actions.ts'
import { DeliveriesView } from './deliveries-view.tsx'
import { KeysView } from './keys-view.tsx'
import { LiveView } from './live-view.tsx'
import { Link } from './parts.tsx'
import { hasSessionEnded, initialData, person, signInWithKey } from './person.ts'
import { AreasView } from './places/areas-view.tsx'
import { SitesView } from './places/sites-view.tsx'
import { SignUpView, StartView } from './start-view.tsx'
import { addressOf, place, VIEWS, type ViewName } from './view.ts'
import { WatchesView } from './watches/watches-view.tsx'

const CONTENT: Readonly<Record<ViewName, () => JSX.Element>> = {
  start: StartView,
  keys: KeysView,
  watches: WatchesView,
  areas: AreasView,
  sites: SitesView,
  deliveries: DeliveriesView,
  live: LiveView,
  account: AccountView,
}

export function App() {
  const isSignedIn = useStore(person) !== null
  const { view } = useStore(place)
  const Content = isSignedIn ? CONTENT[view] : SignUpView
  useEffect(() => {
    document.title = `${isSignedIn ? VIEWS[view] : 'Get a key'} · Incident Feed console`
  }, [isSignedIn, view])
  return (
    <div class="console">
      <Bar />
      <SessionNotice />
      <main class="page">
        <Content />
      </main>
    </div>
  )
}

function Bar() {
  const dark = useStore(theme) === 'dark'
  const isSignedIn = useStore(person) !== null
  const current = useStore(place).view
  const tabs = useTabInSight(current, isSignedIn)
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

/** Signs in again without leaving the page, so that a half-filled form is not lost. */
function SessionNotice() {
  const [key, setKey] = useState('')
  const { isBusy, failure, run } = useAction()
  const here = addressOf(useStore(place))
  if (!useStore(hasSessionEnded)) return null
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await run(() => signInWithKey(key.trim()))) setKey('')
  }
  return (
    <section class="notice failed session-notice" aria-label="Signing in again">
      <p role="alert">Your session has ended. What you have entered on this page is kept.</p>
      <form onSubmit={submit}>
        <label>
          <span class="hidden">Key</span>
          <input
            type="password"
            autocomplete="current-password"
            placeholder="inf_live_…"
            required
            {...typed(key, setKey)}
          />
        </label>
        <Button class="button primary" type="submit" label="Sign in with a key" disabled={isBusy} />
        <a href={`/sign-in?next=${encodeURIComponent(here)}`}>Other ways to sign in</a>
      </form>
      {failure !== null && <p role="alert">{failure.message}</p>}
    </section>
  )
}
