import { currentTraits, type PushSupport, pushSupport } from '../shared/parts/push/push-support.ts'
import { showOwnAlerts } from './own-alerts.ts'
import { startHere } from './start-here.ts'
import { readWords } from './words.ts'

const NOTES: Readonly<Record<PushSupport, string>> = {
  ready: 'push_ready',
  denied: 'push_denied',
  home_screen: 'push_home_screen',
  insecure: 'push_unsupported',
  unsupported: 'push_unsupported',
}

/**
 * Adds to the page what needs a script: notifications in this browser, and the list of its alerts.
 */
function improve(): void {
  const page = document.querySelector<HTMLElement>('.alerts')
  const mine = document.querySelector<HTMLElement>('#mine')
  if (page === null || mine === null) return
  const words = readWords(page)
  const { language = 'en' } = page.dataset
  // Without an answer there is no list: the links in notifications and the form still work.
  const list = () =>
    showOwnAlerts(mine, language, words).catch((error: unknown) => console.info('The alerts were not read:', error))
  void list()
  const here = document.querySelector<HTMLElement>('#here')
  if (here === null) return
  const support = pushSupport(currentTraits())
  const note = here.querySelector('.push-note') as HTMLElement
  const button = here.querySelector('button') as HTMLButtonElement
  note.textContent = words(NOTES[support])
  const isReady = support === 'ready'
  button.hidden = !isReady
  ;(here.querySelector('.promise') as HTMLElement).hidden = !isReady
  // A browser that cannot is told so only where there is no other way.
  const canNever = NOTES[support] === 'push_unsupported'
  here.hidden = canNever && here.dataset.only === undefined
  button.addEventListener('click', () => {
    void startHere(here, language, words).then((isStarted) => (isStarted ? list() : undefined))
  })
}

improve()
