import type { Position } from './shapefile.ts'

/** Positions of the names of the neighbours: in the part of each that a map of Nigeria shows. */
export const COUNTRY_NAMES: Readonly<Record<string, Position>> = {
  Niger: [8.9, 15.1],
  Chad: [17.2, 12.4],
  Cameroon: [12.2, 5.2],
  Benin: [2.25, 10.1],
  Togo: [1.0, 8.6],
  Ghana: [-1.2, 7.6],
  'Burkina Faso': [-1.4, 12.5],
  'Côte d’Ivoire': [-5.6, 7.5],
  Mali: [-3.2, 17.6],
  Algeria: [3, 26.5],
  Libya: [17.5, 26.5],
  Sudan: [28.5, 14.5],
  'Central African Republic': [20.6, 6.6],
  'Equatorial Guinea': [10.5, 1.65],
  Gabon: [11.7, -0.7],
  Congo: [15.4, -0.6],
  'DR Congo': [22.5, -2.6],
  Angola: [17.5, -12],
}

export const SEA_NAMES: Readonly<Record<string, Position>> = {
  'Gulf of Guinea': [4.9, 3.2],
  'Atlantic Ocean': [-8, -3],
}

/** The package has no names; each lake is the one around the point. */
export const LAKE_NAMES: readonly { readonly name: string; readonly at: Position }[] = [
  { name: 'Lake Chad', at: [14.45, 13.05] },
  { name: 'Kainji Lake', at: [4.55, 10.3] },
]

/** Rivers whose accents the shapefile has lost. */
export const RIVER_NAMES: Readonly<Record<string, string>> = {
  'B?nou?': 'Bénoué',
  'Kad??': 'Kadéï',
  'Ou?m?': 'Ouémé',
}

/** Positions of the names of the great rivers: their lines bend too much for text along them. */
export const GREAT_RIVER_NAMES: readonly { readonly name: string; readonly at: Position }[] = [
  { name: 'Niger', at: [4.0, 11.72] },
  { name: 'Niger', at: [5.75, 8.72] },
  { name: 'Niger', at: [6.68, 6.75] },
  { name: 'Benue', at: [8.1, 7.9] },
  { name: 'Benue', at: [10.35, 8.45] },
  { name: 'Benue', at: [12.1, 9.32] },
]
