const TOWNS = [
  ['Gusau', 'Zamfara'],
  ['Konduga', 'Borno'],
  ['Makurdi', 'Benue'],
  ['Mangu', 'Plateau'],
  ['Jalingo', 'Taraba'],
  ['Lokoja', 'Kogi'],
  ['Minna', 'Niger'],
  ['Ikeja', 'Lagos'],
  ['Warri', 'Delta'],
  ['Owerri', 'Imo'],
  ['Abeokuta', 'Ogun'],
  ['Katsina', 'Katsina'],
  ['Birnin Kebbi', 'Kebbi'],
  ['Yola', 'Adamawa'],
  ['Damaturu', 'Yobe'],
] as const
const TYPES = ['kidnapping', 'banditry', 'armed_robbery', 'cult_clash', 'protest'] as const
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A report of an event that no other number is near to, in place and time. */
export function reportNumber(number: number, now: number) {
  const [place, state] = TOWNS[number % TOWNS.length]!
  const type = TYPES[number % TYPES.length]!
  const day = now - 2 * HOUR_MS - Math.floor(number / TOWNS.length) * 9 * DAY_MS
  return {
    type,
    place,
    state,
    occurred_at: new Date(day).toISOString(),
    summary: `Event ${number}: ${type.replaceAll('_', ' ')} at ${place}.`,
    text: `Event ${number} happened at ${place} in ${state}. ${number + 1} people were hurt, a resident said.`,
    casualties: { injured: number + 1 },
    sources: [{ url: `https://example.org/${number}`, publisher: 'Example Daily' }],
  }
}

/** Another report of the same event, an hour later and by another publisher. */
export function secondReport(number: number, now: number) {
  const first = reportNumber(number, now)
  return {
    ...first,
    occurred_at: new Date(Date.parse(first.occurred_at) + HOUR_MS).toISOString(),
    summary: `Event ${number} again: ${first.type.replaceAll('_', ' ')} at ${first.place}.`,
    casualties: { injured: number + 3 },
    sources: [{ url: `https://example.com/${number}`, publisher: 'Punch' }],
  }
}
