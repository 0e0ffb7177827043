/** An area that an account has saved under a name, to use it in filters. */
export interface SavedArea {
  readonly id: string
  readonly accountId: string
  /** Unique within the account. */
  readonly name: string
  /**
   * The members of a canonical filter that hold the shape, as JSON text: `polygon`, or `route`, or
   * `near` and `radius_km`.
   */
  readonly shape: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** Absent fields stay as they are. */
export type AreaPatch = Partial<Pick<SavedArea, 'name' | 'shape'>>

/** A change of an area rewrites the filters of its watches in one transaction. */
export const MAX_WATCHES_PER_AREA = 1000

const SHAPE_MEMBERS = ['near', 'radius_km', 'polygon', 'route']

/**
 * Puts the shape of an area into a canonical filter, in place of the shape that it has. Shapes are
 * the last members of a canonical filter, so that the text stays canonical.
 */
export function withAreaShape(canonicalFilter: string, shape: string): string {
  const members = Object.entries(JSON.parse(canonicalFilter) as object)
  const rest = Object.fromEntries(members.filter(([name]) => !SHAPE_MEMBERS.includes(name)))
  return JSON.stringify({ ...rest, ...(JSON.parse(shape) as object) })
}
