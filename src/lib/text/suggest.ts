import { editDistance } from './edit-distance.ts'

const DEFAULT_MAX = 3
/** No name is longer; the rest of a longer text is ignored. */
const MAX_TEXT_LENGTH = 64

/** The names most similar to `text`, nearest first; possibly none. */
export function suggestNames(text: string, names: Iterable<string>, max: number = DEFAULT_MAX): string[] {
  const wanted = text.trim().slice(0, MAX_TEXT_LENGTH).toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const near: { name: string; distance: number }[] = []
  for (const name of names) {
    const begins = wanted.length >= 3 && name.length >= wanted.length && name.toLowerCase().startsWith(wanted)
    if (!begins && Math.abs(name.length - wanted.length) > limit) continue
    const distance = begins ? 0.5 : editDistance(wanted, name.toLowerCase(), limit)
    if (distance <= limit) near.push({ name, distance })
  }
  near.sort((one, other) => one.distance - other.distance || one.name.localeCompare(other.name))
  return [...new Set(near.map(({ name }) => name))].slice(0, max)
}
