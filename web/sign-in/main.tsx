import './styles.css'
import { render } from 'preact'
import { App, type InitialData } from './app.tsx'
import { nextPath } from './next-path.ts'

const data = JSON.parse(document.getElementById('initial-data')!.textContent!) as InitialData
const address = new URLSearchParams(location.search)
render(
  <App data={data} token={address.get('token')} next={nextPath(address.get('next'), location.origin)} />,
  document.getElementById('app')!,
)
