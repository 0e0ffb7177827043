import type { Severity } from '../../../src/domain/taxonomy.ts'

/** Shows a severity by colour, size and ring. Hidden from screen readers: its word stands beside it. */
export function SeverityDot({ severity }: { severity: Severity }) {
  return <span class={`mark ${severity}`} aria-hidden="true" />
}
