import { Icon } from '../../shared/components/icon.tsx'
import { useStore } from '../../shared/store.ts'
import { switchTheme, theme } from '../../shared/theme.ts'
import { initialData } from '../initial-data.ts'
import { dialog } from '../panels.ts'
import { liveState } from '../queue/live.ts'
import { hasScope, personName } from '../session.ts'
import { VIEWS, type ViewName, view } from '../view.ts'

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
      <nav class="tabs" aria-label="Desk">
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
        title="Your account"
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
