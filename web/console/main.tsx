import './styles.css'
import { render } from 'preact'
import { messageOf } from '../shared/session/send.ts'
import { initialData } from './initial-data.ts'
import { readPerson } from './person.ts'
import { App } from './ui/app.tsx'
import { followHistory } from './view.ts'

const RETRY_MS = 2000
const container = document.getElementById('app')!

/** Waits while the service cannot be reached, as after a restart. */
async function readUntilAnswered(): Promise<void> {
  for (;;) {
    try {
      await readPerson()
      return
    } catch (error) {
      container.textContent = `${messageOf(error)} The console opens as soon as it is back.`
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

if (initialData.session !== 'no') await readUntilAnswered()
followHistory()
container.textContent = ''
render(<App />, container)
