import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { useStore } from '../../shared/store.ts'
import { AccountView } from '../account/account-view.tsx'
import { AreasView } from '../areas/areas-view.tsx'
import { DeliveriesView } from '../deliveries/deliveries-view.tsx'
import { KeysView } from '../keys/keys-view.tsx'
import { LiveView } from '../live/live-view.tsx'
import { person } from '../person.ts'
import { SitesView } from '../sites/sites-view.tsx'
import { SignUpView } from '../start/sign-up-view.tsx'
import { StartView } from '../start/start-view.tsx'
import { place, VIEWS, type ViewName } from '../view.ts'
import { WatchesView } from '../watches/watches-view.tsx'
import { Bar } from './bar.tsx'
import { SessionNotice } from './session-notice.tsx'

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
