import { type ReadExpression, readExpression } from './expression.ts'

/** What Prometheus adds to every series, and the series it makes itself. */
const TARGET_LABELS = ['job', 'instance']
const OF_PROMETHEUS = new Map([['up', TARGET_LABELS]])

/** The series of a scrape: the values of each label, by metric. */
export class ScrapedMetrics {
  readonly #labels = new Map<string, Map<string, Set<string>>>()

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
      if (name === undefined) continue
      const known = this.#labels.get(name) ?? new Map<string, Set<string>>()
      this.#labels.set(name, known)
      for (const [, label, value] of labels.matchAll(/(\w+)="([^"]*)"/g))
        known.set(label!, (known.get(label!) ?? new Set()).add(value!))
    }
  }

  get names(): string[] {
    return [...this.#labels.keys()]
  }

  /** What an expression names that no series has; empty if it is right. */
  faultsOf(expression: string): string[] {
    const read: ReadExpression = readExpression(expression)
    const faults = read.selectors.flatMap(({ metric, matchers }) => {
      const labels = this.#labels.get(metric)
      if (labels === undefined && !OF_PROMETHEUS.has(metric)) return [`there is no metric ${metric}`]
      return matchers.flatMap(({ label, operator, value }) => {
        if (TARGET_LABELS.includes(label)) return []
        const values = labels?.get(label)
        if (values === undefined) return [`${metric} has no label ${label}`]
        // A status that has not been sent yet has no series; other labels begin with all of their
        // values.
        if (label === 'status' && metric === 'incident_feed_responses_total') return []
        const named = operator === '=' || operator === '!=' ? [value] : value.split('|')
        return named.filter((one) => !values.has(one)).map((one) => `${metric} never has ${label}="${one}"`)
      })
    })
    const known = new Set(read.selectors.flatMap(({ metric }) => [...(this.#labels.get(metric)?.keys() ?? [])]))
    for (const label of read.groupedBy)
      if (!known.has(label) && !TARGET_LABELS.includes(label)) faults.push(`nothing has the label ${label}`)
    return faults
  }
}
