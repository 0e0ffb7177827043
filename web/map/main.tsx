import './styles.css'
import { render } from 'preact'
import { startLanguage } from '../shared/language.ts'
import { startIncidentList } from './data/incident-list.ts'
import { startSelectedIncident } from './data/selected-incident.ts'
import { startFeed } from './live/feed.ts'
import { App } from './ui/app.tsx'

await startLanguage()
startIncidentList()
startSelectedIncident()
startFeed()
const container = document.getElementById('app')!
container.textContent = ''
render(<App />, container)
