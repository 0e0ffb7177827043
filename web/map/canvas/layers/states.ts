import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Colours } from '../../../shared/ground/colours.ts'
import { CLASS_COLOURS, classColours, classOf, stateClasses } from '../../state-classes.ts'
import { type LabelProperties, LINE_HEIGHT, NAME_SIZES, ROOM_EMS } from '../style/labels.ts'
import type { StyleOptions } from '../style/style-options.ts'

/** Colours each state by the class of its count. */
export function stateShading({ layer, theme, countsByState }: StyleOptions): LayerSpecification[] {
  if (layer !== 'states') return []
  const classes = stateClasses(countsByState.values())
  const colours = classColours(theme, classes.length)
  const shades = [...countsByState].flatMap(([code, count]) => {
    const index = classOf(count, classes)
    return index === null ? [] : [code, colours[index]!]
  })
  const colour = ['match', ['get', 'code'], ...shades, 'transparent'] as unknown as ExpressionSpecification
  return [
    {
      id: 'shades',
      type: 'fill',
      source: 'states',
      paint: { 'fill-color': shades.length === 0 ? 'transparent' : colour },
    },
  ]
}

/** Outlines the states that are chosen. */
export function chosenStates({ chosen }: StyleOptions, colours: Colours): LayerSpecification[] {
  const filter: ExpressionSpecification = ['in', ['get', 'code'], ['literal', [...chosen]]]
  const line = (id: string, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source: 'states',
    filter,
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': color,
      'line-width': ['interpolate', ['linear'], ['zoom'], 5, width, 10, width + 1.5],
    },
  })
  return [line('chosen-states-halo', colours.panel, 4.5), line('chosen-states', colours.accent, 2.2)]
}

/**
 * The states' names. Each stands only at the zooms at which it fits into its state; a layer of its
 * own for each range, because only a layer's limits are exact between whole zooms.
 */
export function stateNames(
  options: StyleOptions,
  colours: Colours,
  font: string[],
  labels: readonly { readonly properties: LabelProperties }[],
): LayerSpecification[] {
  const { layer } = options
  const ranges = new Map(
    labels.map(({ properties: { fromZoom, toZoom, movable } }) => [
      `${fromZoom}-${toZoom}-${movable}`,
      { fromZoom, toZoom, movable },
    ]),
  )
  const isShaded = layer === 'states'
  const onShade = isShaded ? inkOnShades(options) : null
  return [...ranges.values()].map(
    ({ fromZoom, toZoom, movable }): LayerSpecification => ({
      id: `state-names-${fromZoom}-${toZoom}${movable ? '-movable' : ''}`,
      type: 'symbol',
      source: 'names',
      minzoom: fromZoom,
      maxzoom: toZoom,
      filter: [
        'all',
        ['==', ['get', 'fromZoom'], fromZoom],
        ['==', ['get', 'toZoom'], toZoom],
        ['==', ['get', 'movable'], movable],
      ],
      layout: {
        'text-field': ['get', 'text'],
        'text-font': font,
        'text-size': ['interpolate', ['linear'], ['zoom'], ...NAME_SIZES.flat()] as unknown as ExpressionSpecification,
        'text-line-height': LINE_HEIGHT,
        // The text has its own breaks.
        'text-max-width': 100,
        'text-padding': 1,
        ...(movable && !isShaded
          ? { 'text-variable-anchor': ['center', 'top', 'bottom'], 'text-radial-offset': ROOM_EMS }
          : {}),
      },
      paint: {
        'text-color': onShade ?? colours.quiet,
        'text-halo-color': colours.land,
        'text-halo-width': isShaded ? 0 : 1.4,
      },
    }),
  )
}

/** The strongest colours need the other ink: in both themes the last two. */
const STRONG = 2

function inkOnShades({ theme, countsByState }: StyleOptions): ExpressionSpecification | string {
  const [plain, strong] = theme === 'dark' ? ['#e8eaed', '#14171b'] : ['#1d2126', '#ffffff']
  const classes = stateClasses(countsByState.values())
  const colours = classColours(theme, classes.length)
  const strongest = CLASS_COLOURS[theme].slice(-STRONG)
  const codes = [...countsByState]
    .filter(([, count]) => strongest.includes(colours[classOf(count, classes) ?? -1] ?? ''))
    .map(([code]) => code)
  if (codes.length === 0) return plain!
  return ['match', ['get', 'code'], codes, strong!, plain!] as unknown as ExpressionSpecification
}
