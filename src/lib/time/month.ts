/** A month of the calendar (UTC), counted from year 0: so that the next one is one more. */
export type Month = number

export function monthOf(time: number): Month {
  const date = new Date(time)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** When it begins, in milliseconds; it ends where the next one begins. */
export function monthStart(month: Month): number {
  return Date.UTC(Math.floor(month / 12), month % 12)
}

/** As `2024-05`. */
export function monthText(month: Month): string {
  return new Date(monthStart(month)).toISOString().slice(0, 7)
}

/** Null where the text is no month. */
export function readMonth(text: string): Month | null {
  const match = /^([12]\d{3})-(0[1-9]|1[0-2])$/.exec(text)
  return match ? Number(match[1]) * 12 + Number(match[2]) - 1 : null
}
