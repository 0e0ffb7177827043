import type { Severity } from '../../../src/domain/taxonomy.ts'

/** Shows a severity by colour, size and ring; the word beside it is for screen readers. */
export function SeverityDot({ severity }: { severity: Severity }) {
  return <span class={`mark ${severity}`} aria-hidden="true" />
}
