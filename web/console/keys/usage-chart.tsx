import { dayText, numberText } from '../../shared/format.ts'

interface UsageDay {
  readonly day: string
  readonly requests: number
}

const [WIDTH, HEIGHT, GAP] = [720, 96, 3]

/** Requests by day, for 30 days. */
export function UsageChart({ days }: { days: readonly UsageDay[] }) {
  const most = Math.max(1, ...days.map(({ requests }) => requests))
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  const step = WIDTH / days.length
  const today = days.at(-1)?.requests ?? 0
  return (
    <section class="panel" aria-labelledby="usage-heading">
      <h2 id="usage-heading">Requests by day</h2>
      <p class="quiet">
        {numberText(total)} in 30 days, {numberText(today)} today (UTC). Highest: {numberText(most)}.
      </p>
      <svg
        class="usage-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Requests by day, 30 days"
      >
        {days.map(({ day, requests }, index) => {
          const height = requests === 0 ? 1 : Math.max(3, (requests / most) * HEIGHT)
          return (
            <rect
              key={day}
              class={requests === 0 ? 'bar-empty' : 'bar-used'}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
            >
              <title>{`${dayText(Date.parse(day))}: ${numberText(requests)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="chart-ends quiet">
        <span>{days[0] && dayText(Date.parse(days[0].day))}</span>
        <span>Today</span>
      </p>
    </section>
  )
}
