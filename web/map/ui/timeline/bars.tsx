import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import { incidentCountText } from '../../../shared/format.ts'
import type { Bar } from '../../data/histogram.ts'

interface BarsProperties {
  readonly bars: readonly Bar[]
  /** The count that a bar of full height stands for. */
  readonly maxTotal: number
  readonly first: number
  readonly last: number
}

/** Draws the bars; those outside the window, from `first` to `last`, are faded. */
export function Bars({ bars, maxTotal, first, last }: BarsProperties) {
  const summary = `${incidentCountText(bars.slice(first, last + 1).reduce((sum, { total }) => sum + total, 0))} in the window`
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${Math.max(1, bars.length)} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      {bars.map((bar, index) => {
        let top = 100
        return (
          <g key={bar.from} class={index < first || index > last ? 'bar-group out' : 'bar-group'}>
            {SEVERITIES.toReversed().map((severity) => {
              const height = (bar.bySeverity[severity] / maxTotal) * 96
              top -= height
              return height > 0 ? (
                <rect key={severity} class={`fill-${severity}`} x={index + 0.1} width={0.8} y={top} height={height} />
              ) : null
            })}
          </g>
        )
      })}
    </svg>
  )
}
