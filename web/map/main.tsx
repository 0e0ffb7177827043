import './styles.css'
import { render } from 'preact'
import { startList } from './data/incident-list.ts'
import { startSelected } from './data/selected-incident.ts'
import { startLive } from './live/feed.ts'
import { App } from './ui/app.tsx'

startList()
startSelected()
startLive()
const place = document.getElementById('app')!
place.textContent = ''
render(<App />, place)
