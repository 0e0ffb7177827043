const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const dates = new Map<number, string>()

/** The same as `timeText`, four times as fast: it is called four times for each of a million incidents. */
export function isoTime(time: number): string {
  const day = Math.floor(time / DAY)
  const rest = time - day * DAY
  const hour = Math.floor(rest / HOUR)
  const minute = Math.floor((rest % HOUR) / MINUTE)
  const second = Math.floor((rest % MINUTE) / SECOND)
  return `${dateOf(day)}${two(hour)}:${two(minute)}:${two(second)}Z`
}

/** `2026-11-15T`. */
function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY).toISOString().slice(0, 11)
    dates.set(day, date)
  }
  return date
}

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const two = (number: number): string => TWO[number]!
