import { createStore } from '../../../shared/store.ts'
import type { BoundingBox } from '../../view/view.ts'

/** The part of the map that is visible; null while it shows all of Nigeria. */
export const visibleBox = createStore<BoundingBox | null>(null)
