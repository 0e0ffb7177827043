import { SEVERITIES, type Severity } from '../../../../src/domain/taxonomy.ts'
import { t } from '../../../shared/language.ts'
import { numberText } from '../../../shared/text.ts'
import { sumOf } from '../../data/figures/figures.ts'
import { type Bar, figuresOf } from '../../data/figures/histogram.ts'

interface BarsProperties {
  readonly bars: readonly Bar[]
  /** The severities to draw; none means all. */
  readonly severities: readonly Severity[]
  /** The count that a bar of full height stands for. */
  readonly maxTotal: number
  readonly first: number
  readonly last: number
}

/** Draws the bars; those outside the window, from `first` to `last`, are faded. */
export function Bars({ bars, severities, maxTotal, first, last }: BarsProperties) {
  const { count } = sumOf(bars.slice(first, last + 1).map((bar) => figuresOf(bar, severities)))
  const drawn = SEVERITIES.filter((severity) => severities.length === 0 || severities.includes(severity)).toReversed()
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${Math.max(1, bars.length)} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('timeline.in_window', { count: numberText(count) })}
    >
      {bars.map((bar, index) => {
        let top = 100
        return (
          <g key={bar.from} class={index < first || index > last ? 'bar-group out' : 'bar-group'}>
            {drawn.map((severity) => {
              const height = (bar.bySeverity[severity].count / maxTotal) * 96
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
