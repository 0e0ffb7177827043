/** A calendar month in UTC, counted in months from January of year 0. */
export type Month = number

export function monthOf(time: number): Month {
  const date = new Date(time)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The month's first millisecond. Not `Date.UTC`: it reads the years 0 to 99 as 1900 to 1999. */
export function monthStart(month: Month): number {
  return new Date(0).setUTCFullYear(0, month, 1)
}

/** Formats a month as `2024-05`. */
export function monthText(month: Month): string {
  return new Date(monthStart(month)).toISOString().slice(0, 7)
}

/** Parses `2024-05`; null if the text is not a month. */
export function readMonth(text: string): Month | null {
  const match = /^([12]\d{3})-(0[1-9]|1[0-2])$/.exec(text)
  return match ? Number(match[1]) * 12 + Number(match[2]) - 1 : null
}
