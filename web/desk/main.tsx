import './styles.css'
import { render } from 'preact'
import { goToSignIn, readPerson, untilAnswered } from '../shared/parts/session.ts'
import { runShortcut } from './actions.ts'
import { startClaims } from './claims.ts'
import { startDecisions } from './decisions.ts'
import { liveState, onDeskChange, startLive } from './live.ts'
import { retryNow } from './outbox.ts'
import { noteChangeOf } from './pairs.ts'
import { hasScope, setPerson } from './person.ts'
import { loadQueue, queueFilter } from './queue.ts'
import { startDetails } from './report.ts'
import { listenForKeys } from './shortcuts.ts'
import { App } from './ui/app.tsx'
import { startAddress, view } from './view.ts'

const container = document.getElementById('app')!

const me = await untilAnswered(readPerson, (message) => {
  container.textContent = `${message} The desk opens as soon as it is back.`
})
if (me === null) goToSignIn()
else {
  setPerson(me)
  if (hasScope('review')) startQueue()
  else view.set(hasScope('report') ? 'file' : 'account')
  startAddress()
  container.textContent = ''
  render(<App />, container)
}

function startQueue(): void {
  startDecisions()
  void loadQueue()
  queueFilter.subscribe(() => void loadQueue())
  startLive()
  // Decisions that wait for the service are sent as soon as it is back.
  liveState.subscribe((state) => state === 'live' && retryNow())
  startDetails()
  onDeskChange(({ id }) => view.get() === 'duplicates' && noteChangeOf(id))
  startClaims()
  listenForKeys(runShortcut)
}
