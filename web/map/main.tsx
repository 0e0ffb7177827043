import './styles.css'
import { render } from 'preact'
import { startLanguage } from '../shared/language.ts'
import { takeServerPicture } from './canvas/loading/svg-map.ts'
import { startWanting } from './canvas/loading/wanted.ts'
import { startQuestion } from './data/current-question.ts'
import { startSelectedIncident } from './data/selected-incident.ts'
import { startSnapshot } from './data/snapshot.ts'
import { startFeed } from './live/feed.ts'
import { applyStyles, stylesLoaded } from './page-styles.ts'
import { App } from './ui/app.tsx'
import { drawRest, yieldToBrowser } from './ui/first-drawing.tsx'
import { currentView } from './view/current-view.ts'

takeServerPicture()
await Promise.all([startLanguage(), stylesLoaded()])
startQuestion()
startSnapshot()
startSelectedIncident()
startFeed()
startWanting()
await yieldToBrowser()
const container = document.getElementById('app')!
container.textContent = ''
applyStyles()
render(<App />, container)
await drawRest()
registerServiceWorker()

/** Registers the worker that keeps the last pages for times without a connection. */
function registerServiceWorker(): void {
  // Browsers offer it to secure pages only; a page inside another site leaves nothing behind.
  if (!('serviceWorker' in navigator) || currentView.get().embed) return
  const register = () =>
    navigator.serviceWorker
      .register('/service-worker.js')
      .catch((error: unknown) => console.info('The page cannot be kept for later:', error))
  if (document.readyState === 'complete') void register()
  else addEventListener('load', register, { once: true })
}
