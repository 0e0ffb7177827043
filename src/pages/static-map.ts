import type { ArchiveView } from '../archive/archive.ts'
import { SEVERITIES, type Severity } from '../domain/taxonomy.ts'
import type { Filter } from '../filter/filter.ts'
import type { Box } from '../lib/geometry.ts'
import type { Steps } from '../lib/steps.ts'
import { Html, html } from './html.ts'
import { DOT_RINGS, findMarks, type Mark, severityRing, shortCount } from './marks.ts'
import {
  boxOf,
  labelPosition,
  overlaps,
  type Projection,
  readStateShapes,
  type StateShape,
  shapePath,
} from './projection.ts'

/** Estimated width of a character of a label, in pixels. */
const LABEL_CHARACTER = 7.2

interface MapContent {
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

const MIN_RADIUS = 14
const MAX_RADIUS = 24
const DOT_RADIUS: Readonly<Record<Severity, number>> = { low: 4, medium: 5, high: 6, critical: 6.5 }

/**
 * A dot for one incident, a disc with its number for several; positions in pixels of the picture.
 */
function drawMark(mark: Mark, palette: Palette): Html {
  const [x, y] = [mark.x.toFixed(1), mark.y.toFixed(1)]
  const shape = mark.kind === 'incident' ? dot(mark.severity, palette) : disc(mark, palette)
  return html`<g transform="translate(${x} ${y})">${shape}</g>`
}

/** Severity shows in size and rings as well as in colour. */
export function dot(severity: Severity, palette: Palette, scale = 1): Html {
  const radius = DOT_RADIUS[severity] * scale
  return html`${DOT_RINGS[severity]
    .toReversed()
    .map(
      (more) =>
        html`<circle r="${radius + more * scale}" fill="${palette.panel}" stroke="${palette[severity]}" stroke-width="${1.4 * scale}"/>`,
    )}<circle r="${radius}" fill="${palette[severity]}" stroke="${palette.panel}" stroke-width="1"/>`
}

function disc({ count, bySeverity }: Extract<Mark, { kind: 'cluster' }>, palette: Palette): Html {
  const growth = Math.min(1, Math.log(count / 2) / Math.log(5000))
  const radius = MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * growth
  const line = (severity: Severity) => html`fill="none" stroke="${palette[severity]}" stroke-width="4"`
  return html`<circle r="${radius.toFixed(1)}" fill="${palette.panel}"/>${severityRing(bySeverity, radius - 2, line)}<text text-anchor="middle" dy="0.36em" font-size="13" font-weight="700" fill="${palette.ink}">${shortCount(count)}</text>`
}

/**
 * Finds the marks of a picture, with positions in its pixels. They are those of at most some dozen
 * tiles: the zoom is chosen so that a tile has at least 512 pixels.
 */
export function* findPictureMarks(
  view: ArchiveView,
  filter: Filter,
  now: number,
  { atShare, markZoom, shown, width, height }: Projection,
): Steps<Mark[]> {
  const { marks } = yield* findMarks(view, filter, now, shown, markZoom)
  return marks
    .map((mark) => {
      const [x, y] = atShare(mark.x, mark.y)
      return { ...mark, x, y }
    })
    .filter(({ x, y }) => x > 0 && y > 0 && x < width && y < height)
}

export const COLOURS = ['ink', 'quiet', 'paper', 'panel', 'line', 'land', 'outside', 'border', 'accent'] as const
type Palette = Readonly<Record<(typeof COLOURS)[number] | Severity, string>>

/** The light theme; an image has no variables. */
export const IMAGE_PALETTE: Palette = {
  ink: '#1d2126',
  quiet: '#5d6570',
  paper: '#fbfaf7',
  panel: '#ffffff',
  line: '#dcd8cf',
  land: '#f3f0e8',
  outside: '#e4e9ec',
  border: '#b5ae9f',
  accent: '#0b6b58',
  low: '#6a94b8',
  medium: '#d99a1c',
  high: '#d9502a',
  critical: '#7d0f33',
}

/** The variables of the page, which follow its theme. */
export const PAGE_PALETTE = Object.fromEntries(
  [...COLOURS, ...SEVERITIES].map((name) => [name, `var(--${name})`]),
) as Palette
