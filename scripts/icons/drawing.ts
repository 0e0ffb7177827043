import type { Paint } from './png.ts'

// A dot within two arcs: an incident on the map, and the signal that it sends.
const GROUND = '#0b6b58'
const INK = '#ffffff'
const DOT_RADIUS = 0.1
const ARCS = [0.2, 0.31] as const
const ARC_WIDTH = 0.052
/** Arcs leave an opening below, in radians on each side of straight down. */
const OPENING = Math.PI / 3.2
const CORNER = 0.22

export interface DrawingOptions {
  /** Rounded corners; without them the ground fills the square, as maskable icons need. */
  readonly rounded: boolean
  /** Enlarges the drawing, for small sizes. */
  readonly scale: number
}

export function iconPaint({ rounded, scale }: DrawingOptions): Paint {
  const [ground, ink] = [channels(GROUND), channels(INK)]
  return (x, y) => {
    if (rounded && !isInRoundedSquare(x, y)) return [0, 0, 0, 0]
    const [dx, dy] = [(x - 0.5) / scale, (y - 0.5) / scale]
    const distance = Math.hypot(dx, dy)
    const fromBelow = Math.abs(Math.atan2(dx, dy))
    const onArc = ARCS.some((radius) => Math.abs(distance - radius) <= ARC_WIDTH / 2) && fromBelow > OPENING
    return [...(distance <= DOT_RADIUS || onArc ? ink : ground), 1]
  }
}

function isInRoundedSquare(x: number, y: number): boolean {
  const inset = (share: number) => Math.max(0, CORNER - share, share - (1 - CORNER))
  return Math.hypot(inset(x), inset(y)) <= CORNER
}

function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

/** The same drawing as SVG, in a square of 100. */
export function iconSvg(): string {
  const arcs = ARCS.map((radius) => {
    const [x, y] = [100 * radius * Math.sin(OPENING), 100 * radius * Math.cos(OPENING)]
    const end = (side: number) => `${(50 + side * x).toFixed(1)} ${(50 + y).toFixed(1)}`
    return `M${end(-1)}A${100 * radius} ${100 * radius} 0 1 1 ${end(1)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><title>Incident Feed</title><rect width="100" height="100" rx="${100 * CORNER}" fill="${GROUND}"/><circle cx="50" cy="50" r="${100 * DOT_RADIUS}" fill="${INK}"/><path d="${arcs.join('')}" fill="none" stroke="${INK}" stroke-width="${100 * ARC_WIDTH}"/></svg>\n`
}
