import type { Colours } from './colours.ts'

/** Twice the pixels at most: a phone with more would keep images it cannot show. */
const PIXEL_RATIO = Math.min(2, Math.ceil(globalThis.devicePixelRatio ?? 1))

export interface MapImage {
  readonly data: ImageData
  readonly pixelRatio: number
}

/** Draws an image of the given size in CSS pixels, with the origin at its centre. */
export function drawImage(width: number, height: number, paint: (context: CanvasRenderingContext2D) => void): MapImage {
  const canvas = document.createElement('canvas')
  canvas.width = width * PIXEL_RATIO
  canvas.height = height * PIXEL_RATIO
  const context = canvas.getContext('2d')!
  context.scale(PIXEL_RATIO, PIXEL_RATIO)
  context.translate(width / 2, height / 2)
  paint(context)
  return { data: context.getImageData(0, 0, canvas.width, canvas.height), pixelRatio: PIXEL_RATIO }
}

export function circlePath(context: CanvasRenderingContext2D, radius: number): void {
  context.beginPath()
  context.arc(0, 0, radius, 0, 2 * Math.PI)
}

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
