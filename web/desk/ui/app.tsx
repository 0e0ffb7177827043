import type { JSX } from 'preact'
import { Icon } from '../../shared/components.tsx'
import { useMediaQuery } from '../../shared/hooks.ts'
import { AccountArea } from '../../shared/parts/account-area.tsx'
import { Button, useTabInSight } from '../../shared/parts/controls.tsx'
import { goToSignIn } from '../../shared/parts/session.ts'
import { useStore } from '../../shared/store.ts'
import { switchTheme, theme } from '../../shared/theme.ts'
import { liveState } from '../live.ts'
import { outboxState } from '../outbox.ts'
import { currentPerson, hasScope, initialData, isSignedOut, personName } from '../person.ts'
import { Toasts } from '../toasts.tsx'
import { dialog, isReportOpen, VIEWS, type ViewName, view } from '../view.ts'
import { AuditView } from './audit-view.tsx'
import { Dialogs } from './dialogs.tsx'
import { DuplicatesPanel } from './duplicates.tsx'
import { FileReportView } from './file-report-view.tsx'
import { MembersView } from './members-view.tsx'
import { PairsView } from './pairs-view.tsx'
import { ProposalsView } from './proposals.tsx'
import { PublishersView } from './publishers.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { ReportPanel } from './report-panel.tsx'
import { SourcesView } from './sources-view.tsx'
import { UnplacedStoriesView } from './stories-view.tsx'

const CONTENT: Readonly<Record<ViewName, () => JSX.Element>> = {
  queue: QueueView,
  proposals: ProposalsView,
  duplicates: PairsView,
  stories: UnplacedStoriesView,
  file: FileReportView,
  sources: SourcesView,
  publishers: PublishersView,
  members: MembersView,
  audit: AuditView,
  account: AccountView,
}

export function App() {
  const name = useStore(view)
  const Content = CONTENT[name]
  return (
    <div class="desk">
      <Bar />
      <Notices />
      <Content />
      {name === 'queue' && <Dialogs />}
      <Toasts />
    </div>
  )
}

const LIVE_WORDS = { connecting: 'Connecting', live: 'Live', lost: 'Reconnecting' } as const

export function Bar() {
  const dark = useStore(theme) === 'dark'
  const current = useStore(view)
  const names = (Object.keys(VIEWS) as ViewName[]).filter((name) => name !== 'account' && hasScope(VIEWS[name].scope))
  return (
    <header class="bar">
      <a class="name" href="/">
        Incident Feed
      </a>
      <nav ref={useTabInSight(current)} class="tabs" aria-label="Desk">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            class="tab"
            aria-current={name === current ? 'page' : undefined}
            onClick={() => view.set(name)}
          >
            {VIEWS[name].label}
          </button>
        ))}
      </nav>
      <span class="grow" />
      {initialData.demo && <span class="pill">Synthetic data</span>}
      {hasScope('review') && <LivePill />}
      {hasScope('review') && (
        <button type="button" class="icon-button help-button" onClick={() => dialog.set('help')} title="Keys (?)">
          <kbd>?</kbd>
          <span class="hidden">Show the keys</span>
        </button>
      )}
      <button type="button" class="icon-button" onClick={switchTheme}>
        <Icon name={dark ? 'sun' : 'moon'} />
        <span class="hidden">{dark ? 'Light theme' : 'Dark theme'}</span>
      </button>
      <button
        type="button"
        class="person"
        aria-current={current === 'account' ? 'page' : undefined}
        onClick={() => view.set('account')}
        title={`Your account: ${personName()}`}
      >
        <span class="avatar" aria-hidden="true">
          {personName().slice(0, 1).toUpperCase()}
        </span>
        <span class="person-name">{personName()}</span>
      </button>
    </header>
  )
}

function LivePill() {
  const state = useStore(liveState)
  return (
    <span class={`pill live ${state}`} role="status">
      {LIVE_WORDS[state]}
    </span>
  )
}

/** Says what an outage means for the editor: what is shown may be old, nothing decided is lost. */
function Notices() {
  const { waiting, trouble } = useStore(outboxState)
  const live = useStore(liveState)
  if (useStore(isSignedOut)) {
    return (
      <p class="notice failed" role="alert">
        Your session has ended. {waiting > 0 && 'Your decisions are kept in this browser. '}
        <Button class="text-button" label="Sign in again" onClick={goToSignIn} />
      </p>
    )
  }
  if (trouble !== null) {
    return (
      <p class="notice failed" role="alert">
        {trouble} {waiting === 1 ? 'One decision waits' : `${waiting} decisions wait`} here and will be sent as soon as
        the service answers.
      </p>
    )
  }
  if (live === 'lost') {
    return (
      <p class="notice" role="status">
        The connection is lost: the queue may be out of date. The page reconnects by itself; go on working.
      </p>
    )
  }
  return null
}

/** Beside each other only if the middle keeps room for the text beside its facts. */
const THREE_COLUMNS = '(min-width: 1200px)'

function QueueView() {
  const three = useMediaQuery(THREE_COLUMNS)
  const open = useStore(isReportOpen)
  return (
    <main class={`columns ${open ? 'report-open' : ''}`}>
      <QueuePanel />
      <ReportPanel withDuplicates={!three} />
      {three && <DuplicatesPanel />}
    </main>
  )
}

export function AccountView() {
  return (
    <main class="admin">
      <h1>Your account</h1>
      {!hasScope('report') && (
        <p>Your account has no rights at the desk. Ask an admin to make you a reporter or an editor.</p>
      )}
      <AccountArea me={currentPerson()} />
    </main>
  )
}
