import './styles.css'
import { render } from 'preact'
import { untilAnswered } from '../shared/parts/session.ts'
import { App } from './app.tsx'
import { initialData, readPerson } from './person.ts'
import { followHistory } from './view.ts'

const container = document.getElementById('app')!

if (initialData.session !== 'no')
  await untilAnswered(readPerson, (message) => {
    container.textContent = `${message} The console opens as soon as it is back.`
  })
followHistory()
container.textContent = ''
render(<App />, container)
