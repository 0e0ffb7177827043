import './styles.css'
import { render } from 'preact'
import { goToSignIn } from '../shared/session/session.ts'
import { runShortcut } from './actions.ts'
import { prepareDecision, startAnswers, takeAnswer, takeRefusal } from './decisions/answers.ts'
import { retryNow, startOutbox } from './decisions/outbox.ts'
import { listenForKeys } from './keyboard/keys.ts'
import { noteChangeOf } from './pairs/pairs.ts'
import { queueFilter } from './queue/filter.ts'
import { liveState, onDeskChange, startLive } from './queue/live.ts'
import { loadQueue } from './queue/queue.ts'
import { startClaims } from './report/claims.ts'
import { startDetails } from './report/details.ts'
import { hasScope, isSignedOut, readPerson, setPerson } from './session.ts'
import { App } from './ui/app.tsx'
import { startAddress, view } from './view.ts'

const container = document.getElementById('app')!

const me = await readPerson((message) => {
  container.textContent = `${message} The desk opens as soon as it is back.`
})
if (me === null) goToSignIn()
else {
  setPerson(me)
  if (hasScope('review')) startQueue(me.account.id)
  else view.set(hasScope('report') ? 'file' : 'account')
  startAddress()
  container.textContent = ''
  render(<App />, container)
}

function startQueue(accountId: string): void {
  startAnswers(accountId)
  startOutbox(accountId, {
    prepare: prepareDecision,
    done: takeAnswer,
    refused: takeRefusal,
    signedOut: () => isSignedOut.set(true),
  })
  void loadQueue()
  queueFilter.subscribe(() => void loadQueue())
  startLive(accountId)
  // Decisions that wait for the service are sent as soon as it is back.
  liveState.subscribe((state) => state === 'live' && retryNow())
  startDetails()
  onDeskChange(({ id }) => view.get() === 'duplicates' && noteChangeOf(id))
  startClaims(accountId)
  listenForKeys(runShortcut)
}
