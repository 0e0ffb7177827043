export interface PlaceTemplate {
  /** The words before the place: `at`, `on the`. */
  readonly lead: string
  /** `{town}`, `{name}`: main town; `{next}`: a neighbour's; `{side}`: direction from the town. */
  readonly place: string
}

const at = (lead: string, place: string): PlaceTemplate => ({ lead, place })

/** Places derived from an LGA's name, so that no real village is named. */
export const PLACE_TEMPLATES = {
  town: [
    at('at', '{town} market'),
    at('near', '{town} motor park'),
    at('at a', 'filling station in {town}'),
    at('on the', '{side} side of {town}'),
    at('near the', 'main market in {town}'),
  ],
  home: [
    at('at a', 'house in {town}'),
    at('in a', 'housing estate in {town}'),
    at('in a', 'residential area of {town}'),
    at('on the', 'outskirts of {town}'),
  ],
  road: [
    at('on the', '{name}–{next} road'),
    at('on the', '{name}–{next} road'),
    at('along the', 'road linking {name} and {next}'),
    at('on a', 'stretch of road {side} of {town}'),
  ],
  rural: [
    at('in a', 'village {side} of {town}'),
    at('in a', 'farming settlement near {town}'),
    at('on', 'farmland {side} of {town}'),
    at('on the', 'outskirts of {town}'),
    at('in a', 'hamlet between {name} and {next}'),
  ],
  grazing: [
    at('in a', 'grazing area {side} of {town}'),
    at('in a', 'herding settlement near {town}'),
    at('at a', 'livestock camp {side} of {town}'),
  ],
  forest: [
    at('in a', 'forest {side} of {town}'),
    at('in', 'bush between {name} and {next}'),
    at('in a', 'wooded area near {town}'),
  ],
  school: [
    at('at a', 'boarding school near {town}'),
    at('at a', 'secondary school {side} of {town}'),
    at('at a', 'primary school on the outskirts of {town}'),
  ],
  post: [
    at('at a', 'checkpoint outside {town}'),
    at('at a', 'police post in {town}'),
    at('at a', 'security base near {town}'),
    at('at a', 'checkpoint on the {name}–{next} road'),
  ],
  public: [
    at('at', '{name} roundabout'),
    at('near the', 'council secretariat in {town}'),
    at('on the', 'main road through {town}'),
    at('at a', 'busy junction in {town}'),
  ],
  campaign: [
    at('at a', 'party office in {town}'),
    at('at a', 'rally ground in {town}'),
    at('near a', 'polling unit in {town}'),
    at('near a', 'collation centre in {town}'),
  ],
  water: [
    at('on a', 'waterway near {town}'),
    at('in a', 'creek {side} of {town}'),
    at('near', '{name} jetty'),
    at('on the', '{name} channel'),
  ],
  outskirts: [at('near', '{town}'), at('on the', 'outskirts of {town}'), at('in', 'open country {side} of {town}')],
  pipeline: [
    at('on a', 'pipeline right of way near {town}'),
    at('in a', 'settlement {side} of {town}'),
    at('near a', 'flow station outside {town}'),
    at('in', 'bush {side} of {town}'),
  ],
} as const satisfies Record<string, readonly PlaceTemplate[]>

/** Kind of place in which an incident happens. */
export type Setting = keyof typeof PLACE_TEMPLATES
