import { watches } from './watches.ts'

/** The store's methods, by part. Those that an engine writes by itself are not among them. */
export const queries = {
  watches,
}
