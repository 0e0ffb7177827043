import './styles.css'
import { render } from 'preact'
import { startLanguage } from '../shared/language.ts'
import { takeServerPicture } from './canvas/loading/svg-map.ts'
import { startWanting } from './canvas/loading/wanted.ts'
import { startQuestion } from './data/question/current-question.ts'
import { startSelectedIncident } from './data/selected-incident.ts'
import { startSnapshot } from './data/snapshot.ts'
import { startFeed } from './live/feed.ts'
import { applyStyles, stylesLoaded } from './page-styles.ts'
import { registerServiceWorker } from './service-worker.ts'
import { App } from './ui/app.tsx'
import { drawRest } from './ui/first-drawing.tsx'
import { yieldToBrowser } from './yield-to-browser.ts'

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
