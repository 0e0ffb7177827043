/** A metric that an expression names, with the labels that it compares. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[]
}

export interface ReadExpression {
  readonly selectors: readonly Selector[]
  /** The labels after `by`, `without`, `on` and `ignoring`. */
  readonly groupedBy: readonly string[]
}

const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'by', 'without', 'on', 'ignoring'])
const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g
const RANGE = /\[[^\]]*\]/g
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*(\{[^}]*\}|\()?/g
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g

/** Finds the metrics and labels in PromQL; `promtool` checks the grammar. */
export function readExpression(text: string): ReadExpression {
  const groupedBy = [...text.matchAll(GROUPING)].flatMap(([, labels]) =>
    labels!.split(',').map((label) => label.trim()),
  )
  const rest = text.replaceAll(GROUPING, ' ').replaceAll(RANGE, ' ')
  const selectors = [...rest.matchAll(SELECTOR)]
    .filter(([, name, after]) => after !== '(' && !KEYWORDS.has(name!))
    .map(([, metric, after = '']) => ({
      metric: metric!,
      matchers: [...after.matchAll(MATCHER)].map(([, label, operator, value]) => ({
        label: label!,
        operator: operator!,
        value: value!,
      })),
    }))
  return { selectors, groupedBy }
}
