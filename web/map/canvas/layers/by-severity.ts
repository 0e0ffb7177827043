import type { ExpressionSpecification } from 'maplibre-gl'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'

export const INCIDENTS = { source: 'incidents', 'source-layer': 'incidents' } as const

/** Returns an expression that picks a feature's value by its severity. */
export const bySeverity = (values: Readonly<Record<(typeof SEVERITIES)[number], number | string>>) =>
  [
    'match',
    ['get', 'severity'],
    ...SEVERITIES.flatMap((one) => [one, values[one]]),
    values.low,
  ] as unknown as ExpressionSpecification
