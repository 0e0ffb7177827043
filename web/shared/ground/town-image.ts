import { drawImage, type MapImage } from './canvas-image.ts'
import type { Colours } from './colours.ts'

const RADIUS = 2.2
const SIZE = 8

/** Draws the small ring of a town. */
export function drawTown({ land, quiet }: Colours): MapImage {
  return drawImage(SIZE, SIZE, (context) => {
    context.arc(0, 0, RADIUS, 0, 2 * Math.PI)
    context.fillStyle = land
    context.fill()
    context.lineWidth = 1.3
    context.strokeStyle = quiet
    context.stroke()
  })
}
