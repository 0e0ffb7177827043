import type { Colour, Paint } from './png.ts'

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
  const [ground, ink] = [opaque(GROUND), opaque(INK)]
  // Ten million calls draw all icons: none allocates, and few need an angle.
  return (x, y) => {
    if (rounded && !isInRoundedSquare(x, y)) return TRANSPARENT
    const [dx, dy] = [(x - 0.5) / scale, (y - 0.5) / scale]
    const distance = Math.sqrt(dx * dx + dy * dy)
    if (distance <= DOT_RADIUS) return ink
    const onArc = Math.abs(distance - ARCS[0]) <= ARC_WIDTH / 2 || Math.abs(distance - ARCS[1]) <= ARC_WIDTH / 2
    return onArc && Math.abs(Math.atan2(dx, dy)) > OPENING ? ink : ground
  }
}

function isInRoundedSquare(x: number, y: number): boolean {
  const [dx, dy] = [insetOf(x), insetOf(y)]
  return dx * dx + dy * dy <= CORNER * CORNER
}

function insetOf(share: number): number {
  return Math.max(0, CORNER - share, share - (1 - CORNER))
}

const TRANSPARENT: Colour = [0, 0, 0, 0]

function opaque(colour: string): Colour {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255, 1]
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
