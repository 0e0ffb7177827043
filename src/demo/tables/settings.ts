export interface Spot {
  /** How a sentence leads up to the place: `at`, `on the`. */
  readonly lead: string
  /** `{town}` and `{name}` are the LGA's chief town, `{next}` a neighbour's; `{side}` is where it lies from the town. */
  readonly place: string
}

const spot = (lead: string, place: string): Spot => ({ lead, place })

/** Places made up from an LGA's name: no real village is blamed for anything. */
export const SPOTS = {
  town: [
    spot('at', '{town} market'),
    spot('near', '{town} motor park'),
    spot('at a', 'filling station in {town}'),
    spot('on the', '{side} side of {town}'),
    spot('near the', 'main market in {town}'),
  ],
  home: [
    spot('at a', 'house in {town}'),
    spot('in a', 'housing estate in {town}'),
    spot('in a', 'residential area of {town}'),
    spot('on the', 'outskirts of {town}'),
  ],
  road: [
    spot('on the', '{name}–{next} road'),
    spot('on the', '{name}–{next} road'),
    spot('along the', 'road linking {name} and {next}'),
    spot('on a', 'stretch of road {side} of {town}'),
  ],
  rural: [
    spot('in a', 'village {side} of {town}'),
    spot('in a', 'farming settlement near {town}'),
    spot('on', 'farmland {side} of {town}'),
    spot('on the', 'outskirts of {town}'),
    spot('in a', 'hamlet between {name} and {next}'),
  ],
  grazing: [
    spot('in a', 'grazing area {side} of {town}'),
    spot('in a', 'herding settlement near {town}'),
    spot('at a', 'livestock camp {side} of {town}'),
  ],
  forest: [
    spot('in a', 'forest {side} of {town}'),
    spot('in', 'bush between {name} and {next}'),
    spot('in a', 'wooded area near {town}'),
  ],
  school: [
    spot('at a', 'boarding school near {town}'),
    spot('at a', 'secondary school {side} of {town}'),
    spot('at a', 'primary school on the outskirts of {town}'),
  ],
  post: [
    spot('at a', 'checkpoint outside {town}'),
    spot('at a', 'police post in {town}'),
    spot('at a', 'security base near {town}'),
    spot('at a', 'checkpoint on the {name}–{next} road'),
  ],
  public: [
    spot('at', '{name} roundabout'),
    spot('near the', 'council secretariat in {town}'),
    spot('on the', 'main road through {town}'),
    spot('at a', 'busy junction in {town}'),
  ],
  campaign: [
    spot('at a', 'party office in {town}'),
    spot('at a', 'rally ground in {town}'),
    spot('near a', 'polling unit in {town}'),
    spot('near a', 'collation centre in {town}'),
  ],
  water: [
    spot('on a', 'waterway near {town}'),
    spot('in a', 'creek {side} of {town}'),
    spot('near', '{name} jetty'),
    spot('on the', '{name} channel'),
  ],
  outskirts: [
    spot('near', '{town}'),
    spot('on the', 'outskirts of {town}'),
    spot('in', 'open country {side} of {town}'),
  ],
  pipeline: [
    spot('on a', 'pipeline right of way near {town}'),
    spot('in a', 'settlement {side} of {town}'),
    spot('near a', 'flow station outside {town}'),
    spot('in', 'bush {side} of {town}'),
  ],
} as const satisfies Record<string, readonly Spot[]>

/** What kind of spot it happened at. */
export type Setting = keyof typeof SPOTS
