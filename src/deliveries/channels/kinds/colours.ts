import type { Alert } from '../alert.ts'

const SEVERITY_COLOURS = { low: 0x5b7083, medium: 0xd29a00, high: 0xdd6b20, critical: 0xc0262d } as const
const RETRACTED = 0x8a8f98

export function colourOf({ kind, severity }: Alert): number {
  return kind === 'retracted' ? RETRACTED : SEVERITY_COLOURS[severity]
}
