const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Formats the age of a time, e.g. `2 h ago`; from 60 days on, its date, e.g. `3 Jan 2026`. */
export function ago(time: string, now: number): string {
  const age = Math.max(0, now - Date.parse(time))
  if (age < MINUTE_MS) return 'just now'
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`
  if (age < 2 * DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`
  if (age < 60 * DAY_MS) return `${Math.floor(age / DAY_MS)} days ago`
  return dayText(time)
}

/** Formats the UTC day of a time, e.g. `3 Jan 2026`. */
export function dayText(time: string | number): string {
  return new Date(time).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
