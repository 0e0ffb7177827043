import type { Severity } from '../../../src/domain/taxonomy.ts'

/** A severity by colour, size and ring; the word stands beside it. */
export function Mark({ severity }: { severity: Severity }) {
  return <span class={`mark ${severity}`} aria-hidden="true" />
}
