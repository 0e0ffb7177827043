export const ROAD_CLASSES = ['motorway', 'trunk', 'primary', 'secondary', 'tertiary', 'other'] as const
export type RoadClass = (typeof ROAD_CLASSES)[number]

/**
 * The properties that name a road's class in OpenStreetMap, its extracts, Natural Earth and gROADS.
 */
const PROPERTIES = ['class', 'highway', 'fclass', 'type', 'FCLASS'] as const

/** Other sources' words, in lower case. */
const WORDS: Readonly<Record<string, RoadClass>> = {
  'major highway': 'trunk',
  'secondary highway': 'secondary',
  beltway: 'motorway',
  bypass: 'trunk',
  road: 'tertiary',
  '1': 'motorway',
  '2': 'primary',
  '3': 'secondary',
  '4': 'tertiary',
}

/** The class of a road by its properties; `other` where none of them names one. */
export function roadClassOf(properties: Readonly<Record<string, unknown>>): RoadClass {
  for (const name of PROPERTIES) {
    const word = String(properties[name] ?? '')
      .toLowerCase()
      .replace(/_link$/, '')
    const known = ROAD_CLASSES.find((each) => each === word) ?? WORDS[word]
    if (known !== undefined) return known
  }
  return 'other'
}
