const STEPS = [
  { unit: 'min', length: 60_000, below: 3_600_000 },
  { unit: 'h', length: 3_600_000, below: 48 * 3_600_000 },
  { unit: 'days', length: 86_400_000, below: 60 * 86_400_000 },
] as const

/** How long ago, as a reader says it: "2 h ago"; the date where that is long. */
export function ago(time: string, now: number): string {
  const age = Math.max(0, now - Date.parse(time))
  if (age < 60_000) return 'just now'
  const step = STEPS.find(({ below }) => age < below)
  return step ? `${Math.floor(age / step.length)} ${step.unit} ago` : `on ${time.slice(0, 10)}`
}
