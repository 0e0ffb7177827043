import './styles.css'
import { render } from 'preact'
import { startIncidentList } from './data/incident-list.ts'
import { startSelectedIncident } from './data/selected-incident.ts'
import { startFeed } from './live/feed.ts'
import { App } from './ui/app.tsx'

startIncidentList()
startSelectedIncident()
startFeed()
const container = document.getElementById('app')!
container.textContent = ''
render(<App />, container)
