import type { LogEvent } from '../store/store.ts'
import type { Change } from './recent-changes.ts'

/** An event that the archive has taken in, with what it did there: who was told of the version before must hear of this one. */
export type TakenIn = LogEvent & Change
