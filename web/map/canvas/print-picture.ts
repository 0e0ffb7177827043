import type { Map as MapLibre } from 'maplibre-gl'

/**
 * Puts a picture of the map beside it while the page is printed: the map's own canvas is blank on
 * paper. Returns the function that stops it.
 */
export function drawForPrint(map: MapLibre): () => void {
  const picture = document.createElement('canvas')
  picture.className = 'map-print'
  const draw = () => {
    // WebGL forgets what it has drawn once it is on the screen: draw again and copy it at once.
    map.redraw()
    const drawn = map.getCanvas()
    picture.width = drawn.width
    picture.height = drawn.height
    picture.getContext('2d')!.drawImage(drawn, 0, 0)
    map.getContainer().append(picture)
  }
  const remove = () => picture.remove()
  addEventListener('beforeprint', draw)
  addEventListener('afterprint', remove)
  return () => {
    removeEventListener('beforeprint', draw)
    removeEventListener('afterprint', remove)
  }
}
