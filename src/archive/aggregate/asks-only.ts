import type { Filter } from '../../query/filter/filter.ts'

const WINDOW: readonly (keyof Filter)[] = ['since', 'publishedFrom', 'publishedTo']

/** Whether the filter restricts nothing but these fields and when incidents were published. */
export function asksOnly(filter: Filter, fields: readonly (keyof Filter)[]): boolean {
  const names = Object.keys(filter) as (keyof Filter)[]
  return names.every((name) => filter[name] === null || WINDOW.includes(name) || fields.includes(name))
}
