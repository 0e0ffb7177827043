import '../shared/tokens.css'
import './style.css'
import { render } from 'preact'
import { startList } from './data/list.ts'
import { startSelected } from './data/selected.ts'
import { startLive } from './live/live.ts'
import { App } from './ui/app.tsx'

startList()
startSelected()
startLive()
const place = document.getElementById('app')!
place.textContent = ''
render(<App />, place)
