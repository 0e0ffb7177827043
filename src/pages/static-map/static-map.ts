import type { Box } from '../../lib/geometry.ts'
import { Html, html } from '../html.ts'
import type { Mark } from '../marks/find-marks.ts'
import { drawMark } from './draw-marks.ts'
import type { Palette } from './palette.ts'
import type { Projection } from './projection.ts'
import { boxOf, labelPosition, overlaps, readStateShapes, type StateShape, shapePath } from './state-shapes.ts'

/** Estimated width of a character of a label, in pixels. */
const LABEL_CHARACTER = 7.2

export interface MapContent {
  /** With positions in pixels. */
  readonly marks: readonly Mark[]
  /** States to outline: those that the view is restricted to. */
  readonly outlined: readonly string[]
  /** A state in which something happened, nobody knows where. */
  readonly hatched?: { readonly code: string; readonly colour: string } | null
  readonly palette: Palette
  /** Drawn above the states and beneath labels and marks. */
  readonly beneath?: Html
  /** Drawn above everything. */
  readonly above?: Html
}

/** Draws parts of Nigeria; the states are read once. */
export class StaticMap {
  readonly #shapes: readonly StateShape[]
  /** The outlines by projection, for pictures of the same part of the country. */
  readonly #paths = new WeakMap<Projection, Map<StateShape, Html>>()

  constructor(statesGeoJson: Buffer) {
    this.#shapes = readStateShapes(statesGeoJson)
  }

  /** The box around some states, or around all without any. */
  boxOfStates(codes: readonly string[]): Box {
    const chosen = this.#shapes.filter(({ code }) => codes.includes(code))
    return boxOf((chosen.length > 0 ? chosen : this.#shapes).flatMap(({ rings }) => rings))
  }

  /** The content of an `<svg>` of the projection's size. */
  draw(projection: Projection, { marks, outlined, hatched = null, palette, beneath, above }: MapContent): Html {
    const shapes = this.#shapes.filter(({ box }) => overlaps(box, projection.shown))
    const { width, height } = projection
    const path = (shape: StateShape) => this.#pathOf(shape, projection)
    return html`<rect width="${width}" height="${height}" fill="${palette.outside}"/>
${shapes.map((shape) => html`<path d="${path(shape)}" fill="${palette.land}" stroke="${palette.border}" stroke-width="1.2" stroke-linejoin="round"/>`)}
${shapes.filter(({ code }) => code === hatched?.code).map((shape) => hatch(path(shape), hatched!.colour))}
${shapes.filter(({ code }) => outlined.includes(code)).map((shape) => html`<path d="${path(shape)}" fill="none" stroke="${palette.accent}" stroke-width="3" stroke-linejoin="round"/>`)}${beneath ?? null}
${shapes.map((shape) => label(shape, projection, marks, palette))}
${marks.map((mark) => drawMark(mark, palette))}${above ?? null}`
  }

  #pathOf(shape: StateShape, projection: Projection): Html {
    const paths = this.#paths.get(projection) ?? new Map<StateShape, Html>()
    this.#paths.set(projection, paths)
    // Digits and letters only: it needs no escaping, which would take longer than the rest of a
    // page.
    const path = paths.get(shape) ?? new Html(shapePath(shape, projection))
    paths.set(shape, path)
    return path
  }
}

function hatch(path: Html, colour: string): Html {
  return html`<pattern id="hatch" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V12" stroke="${colour}" stroke-width="5" stroke-opacity="0.35"/></pattern><path d="${path}" fill="url(#hatch)"/>`
}

/**
 * Left out where a mark would cover it, or where it would cross the border of its state or the edge
 * of the picture.
 */
function label(shape: StateShape, projection: Projection, marks: readonly Mark[], palette: Palette): Html | null {
  const position = labelPosition(shape)
  if (position === null) return null
  const [x, y] = projection.at(...position)
  const half = (shape.name.length * LABEL_CHARACTER) / 2
  const [west] = projection.at(shape.box.west, position[1])
  const [east] = projection.at(shape.box.east, position[1])
  const fits = (east - west) * 0.8 > 2 * half && x - half > 4 && x + half < projection.width - 4
  const isCovered = marks.some((mark) => Math.abs(mark.x - x) < half + 16 && Math.abs(mark.y - y + 4) < 24)
  if (!fits || isCovered || y < 14 || y > projection.height - 8) return null
  return html`<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" text-anchor="middle" font-size="13" fill="${palette.quiet}">${shape.name}</text>`
}
