/**
 * Puts files that are next to each other into groups of at most `size`, all of nearly the same
 * size. Neighbours load the same modules, which a group loads once.
 */
export function groupsOf(files: readonly string[], size: number): string[][] {
  const sorted = files.toSorted()
  const count = Math.ceil(sorted.length / size)
  const startOf = (group: number) => Math.round((group * sorted.length) / count)
  return Array.from({ length: count }, (_, group) => sorted.slice(startOf(group), startOf(group + 1)))
}
