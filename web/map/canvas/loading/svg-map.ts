import { OVERVIEW_ZOOM, UNITS_PER_PIXEL } from '../../../../src/filter/overview-map.ts'
import { currentLanguage } from '../../../shared/language.ts'
import { onFeedEvent } from '../../live/feed.ts'
import { changeView, currentView, openIncident } from '../../view/current-view.ts'
import { addressText, readView, type View, writeView } from '../../view/view.ts'
import { overviewPadding, overviewPosition } from './overview-position.ts'

/** Limits how often a busy feed loads the picture again. */
const REFRESH_INTERVAL_MS = 30_000

let fromServer: SVGSVGElement | null = null
let serverLanguage = ''

/** Keeps the picture that the server has drawn; call it before language and page are replaced. */
export function takeServerPicture(): void {
  fromServer = document.querySelector('.svg-map')
  serverLanguage = document.documentElement.lang
}

/**
 * Shows the server's picture of the map, where MapLibre will draw the same. Returns its removal.
 */
export function showSvgMap(holder: HTMLElement): () => void {
  let picture = fromServer
  let shownAddress = picture ? addressOf(currentView.get()) : null
  let refresh: ReturnType<typeof setTimeout> | undefined
  /** Sizes the picture before it is in the page: its marks would be styled and laid out twice. */
  const place = () => {
    // Removed from the page when MapLibre is ready, a moment before its listeners are.
    if (picture === null || !holder.isConnected) return
    const { zoom, left, top } = overviewPosition(holder.getBoundingClientRect(), overviewPadding(holder), camera())
    const units = Number(picture.viewBox.baseVal.width)
    picture.dataset.zoom = zoom < OVERVIEW_ZOOM ? '4' : '5'
    const scale = 2 ** (OVERVIEW_ZOOM - zoom)
    picture.style.setProperty('--mark-scale', String(scale))
    picture.style.setProperty('--picture-width', `${units / UNITS_PER_PIXEL / scale}px`)
    picture.style.setProperty('--picture-shift', `${left}px ${top}px`)
    if (picture.parentNode !== holder) holder.replaceChildren(picture)
  }
  const load = async () => {
    const address = addressOf(currentView.get())
    holder.classList.add('old')
    const response = await fetch(`/map.svg?${address && `${address}&`}lang=${currentLanguage().language}`)
    if (!response.ok) throw new Error(`the picture of the map cannot be loaded: ${response.status}`)
    const { documentElement } = new DOMParser().parseFromString(await response.text(), 'image/svg+xml')
    if (address !== addressOf(currentView.get())) return
    picture = documentElement as unknown as SVGSVGElement
    shownAddress = address
    holder.classList.remove('old')
    place()
  }
  const reload = () => {
    if (!holder.isConnected) return
    clearTimeout(refresh)
    refresh = undefined
    load().catch((error: unknown) => {
      console.warn('The picture of the map is loaded again later:', error)
      refresh ??= setTimeout(reload, REFRESH_INTERVAL_MS)
    })
  }
  const camera = () => currentView.get().camera
  // The server does not know a language that was chosen on this device.
  if (picture === null || serverLanguage !== currentLanguage().language) reload()
  // Reports the first size as well, once the browser has laid out the page: asking for it now would
  // do that twice.
  const sizes = new ResizeObserver(place)
  sizes.observe(holder)
  const unsubscribes = [
    currentView.subscribe((view) => {
      place()
      if (addressOf(view) !== shownAddress) reload()
    }),
    onFeedEvent(() => {
      refresh ??= setTimeout(reload, REFRESH_INTERVAL_MS)
    }),
  ]
  holder.addEventListener('click', openMark)
  return () => {
    sizes.disconnect()
    clearTimeout(refresh)
    holder.removeEventListener('click', openMark)
    for (const unsubscribe of unsubscribes) unsubscribe()
    picture?.remove()
  }
}

/** The filters of the address: everything that decides which incidents the map shows. */
function addressOf(view: View): string {
  const all = { ...view, box: null, camera: null, incident: null, layer: 'incidents', embed: false } as const
  return addressText(writeView(all))
}

/** Opens a mark's link within the page: the card of an incident, or the list of a cluster. */
function openMark(event: MouseEvent): void {
  const link = (event.target as Element).closest('a')
  if (link === null || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  const { pathname, searchParams } = new URL(link.getAttribute('href')!, location.origin)
  const { incident, ...opened } = readView(searchParams, pathname)
  const { embed, camera } = currentView.get()
  if (incident !== null) openIncident(incident)
  else changeView({ ...opened, incident, embed, camera })
}
