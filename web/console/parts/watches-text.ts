import { numberText } from '../../shared/format.ts'

/** How many watches use something. */
export function watchesText(watches: number): string {
  if (watches === 0) return 'no watch'
  return watches === 1 ? 'one watch' : `${numberText(watches)} watches`
}
