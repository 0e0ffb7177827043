import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import type { Theme } from '../../../shared/theme.ts'
import { COLOURS } from './colours.ts'

const PIXEL_RATIO = 2
/** In CSS pixels, at icon-size 1. */
const RING_RADIUS = 20

export interface MapImage {
  readonly data: ImageData
  readonly pixelRatio: number
}

/**
 * Draws a cluster's image when MapLibre first asks for it. The name has the content:
 * `ring/dark/0/2/5/1` is a disc with the shares of the four severities around it, for the dark
 * theme.
 */
export function drawClusterImage(name: string): MapImage | null {
  const [kind, theme, ...shares] = name.split('/')
  return kind === 'ring' && (theme === 'light' || theme === 'dark') ? drawRing(theme, shares.map(Number)) : null
}

function drawRing(theme: Theme, shares: readonly number[]): MapImage {
  const colours = COLOURS[theme]
  return drawOnCanvas(RING_RADIUS + 3, (context) => {
    context.beginPath()
    context.arc(0, 0, RING_RADIUS, 0, 2 * Math.PI)
    context.fillStyle = colours.panel
    context.shadowColor = 'rgb(0 0 0 / 0.28)'
    context.shadowBlur = 5
    context.fill()
    context.shadowBlur = 0
    context.shadowColor = 'transparent'
    const sum = shares.reduce((one, other) => one + other, 0) || 1
    const parts = SEVERITIES.map((severity, index) => ({ severity, share: shares[index]! / sum })).toReversed()
    // A gap between two colours, so that they can be told apart without seeing the hue.
    const gap = parts.filter(({ share }) => share > 0).length > 1 ? 0.09 : 0
    let angle = -Math.PI / 2
    context.lineWidth = 3.5
    for (const { severity, share } of parts) {
      if (share === 0) continue
      const end = angle + share * 2 * Math.PI
      context.beginPath()
      context.arc(0, 0, RING_RADIUS - 2.75, angle + gap / 2, Math.max(end - gap / 2, angle + gap / 2 + 0.05))
      context.strokeStyle = colours.severity[severity]
      context.stroke()
      angle = end
    }
  })
}

function drawOnCanvas(radius: number, paint: (context: CanvasRenderingContext2D) => void): MapImage {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = radius * 2 * PIXEL_RATIO
  const context = canvas.getContext('2d')!
  context.scale(PIXEL_RATIO, PIXEL_RATIO)
  context.translate(radius, radius)
  paint(context)
  return { data: context.getImageData(0, 0, canvas.width, canvas.height), pixelRatio: PIXEL_RATIO }
}
