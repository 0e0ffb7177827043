const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const dates = new Map<number, string>()

/** Equals `timeText` at four times the speed: called four times per incident, for a million. */
export function isoTime(time: number): string {
  const day = Math.floor(time / DAY_MS)
  const rest = time - day * DAY_MS
  const hour = Math.floor(rest / HOUR_MS)
  const minute = Math.floor((rest % HOUR_MS) / MINUTE_MS)
  const second = Math.floor((rest % MINUTE_MS) / SECOND_MS)
  return `${dateOf(day)}${two(hour)}:${two(minute)}:${two(second)}Z`
}

/** `2026-11-15T`. */
function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, 11)
    dates.set(day, date)
  }
  return date
}

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const two = (number: number): string => TWO[number]!
