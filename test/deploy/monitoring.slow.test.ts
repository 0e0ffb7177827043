import assert from 'node:assert/strict'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { promtool, promtoolMissing } from '../support/external-programs.ts'
import { temporaryFolder } from '../support/folder.ts'

const FOLDER = join(import.meta.dirname, '../../deploy/monitoring')
const DOCS = join(import.meta.dirname, '../../docs/monitoring.md')
/** Grafana fills these in. */
const VARIABLES: Readonly<Record<string, string>> = { $__rate_interval: '5m', $instance: '.*', $job: 'incident-feed' }

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}

const read = (name: string) => readFile(join(FOLDER, name), 'utf8')
const panels = async () => (JSON.parse(await read('dashboard.json')) as { panels: Panel[] }).panels

async function dashboardExpressions(): Promise<string[]> {
  const expressions = (await panels()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  return expressions.map((text) => text.replaceAll(/\$\w+/g, (name) => VARIABLES[name] ?? name))
}

interface Alert {
  readonly name: string
  readonly expression: string
}

/** The rules in the layout of our file, in which `expr` is a line or an indented block. */
async function alerts(): Promise<Alert[]> {
  const rules = (await read('alerts.yml')).split('- alert: ').slice(1)
  return rules.map((rule) => {
    const expression = /expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/.exec(rule)!
    return { name: rule.slice(0, rule.indexOf('\n')), expression: (expression[1] ?? expression[2])!.trim() }
  })
}

let scraped: ScrapedMetrics
before(async () => {
  await using app = await startTestApp()
  await app.get('/v1/incidents')
  await app.get('/about', null)
  scraped = new ScrapedMetrics(await (await app.get('/metrics', null)).text())
})

describe('the dashboard', () => {
  it('names only metrics, labels and values that the service has', async () => {
    const expressions = await dashboardExpressions()
    assert.ok(expressions.length > 25)
    for (const expression of expressions) assert.deepEqual(scraped.faultsOf(expression), [], expression)
  })

  it('shows every metric of the service', async () => {
    const text = (await dashboardExpressions()).join('\n')
    const metrics = scraped.names.filter((name) => name.startsWith('incident_feed_') && !/_(sum|count)$/.test(name))
    const missing = metrics.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))
    assert.deepEqual(missing, [])
  })

  it('has panels that explain themselves and do not overlap', async () => {
    const all = await panels()
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
    const cells = new Set<string>()
    for (const { title, type, description, gridPos } of all) {
      assert.ok(type === 'row' || description, title)
      assert.ok(gridPos.x + gridPos.w <= 24, title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!cells.has(`${x} ${y}`), `${title} lies on another panel`)
          cells.add(`${x} ${y}`)
        }
    }
  })
})

describe('the alerts', () => {
  it('name only metrics, labels and values that the service has', async () => {
    const all = await alerts()
    assert.ok(all.length >= 15)
    for (const { name, expression } of all) assert.deepEqual(scraped.faultsOf(expression), [], name)
  })

  it('have each a test in which it fires and one in which it stays quiet, and a line in docs/monitoring.md', async () => {
    const [tests, docs] = [await read('alerts.test.yml'), await readFile(DOCS, 'utf8')]
    const cases = [...tests.matchAll(/alertname: (\w+)\n {8}exp_alerts:( \[\])?$/gm)]
    const tested = (quiet: boolean) =>
      cases.filter(([, , none]) => (none !== undefined) === quiet).map(([, name]) => name!)
    const names = (await alerts()).map(({ name }) => name).toSorted()
    assert.deepEqual(tested(false).toSorted(), names)
    assert.deepEqual(tested(true).toSorted(), names)
    const described = [...docs.matchAll(/^\| `(IncidentFeed\w+)` \|/gm)].map(([, name]) => name!)
    assert.deepEqual(described.toSorted(), names)
  })
})

describe('promtool', { skip: promtoolMissing() ?? false }, () => {
  it('finds no fault in the rules', () => {
    const { ok, output } = promtool(['check', 'rules', join(FOLDER, 'alerts.yml')])
    assert.ok(ok, output)
  })

  it('sees each alert fire and stay quiet as its tests say', () => {
    const { ok, output } = promtool(['test', 'rules', join(FOLDER, 'alerts.test.yml')])
    assert.ok(ok, output)
  })

  it('understands every expression of the dashboard', async () => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'expressions.yml')
    const rules = (await dashboardExpressions()).map((expr, index) => ({
      record: `dashboard:expression_${index}`,
      expr,
    }))
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { ok, output } = promtool(['check', 'rules', file])
    assert.ok(ok, output)
  })

  it('fails if a threshold is moved, so the tests see what they test', async () => {
    await using folder = await temporaryFolder()
    await copyFile(join(FOLDER, 'alerts.test.yml'), join(folder.path, 'alerts.test.yml'))
    const rules = await read('alerts.yml')
    const moved = rules.replace('> 26 * 3600', '> 28 * 3600')
    assert.notEqual(moved, rules)
    await writeFile(join(folder.path, 'alerts.yml'), moved)
    const { ok, output } = promtool(['test', 'rules', join(folder.path, 'alerts.test.yml')])
    assert.ok(!ok)
    assert.match(output, /IncidentFeedBackupOld/)
  })
})

/** Labels that Prometheus adds to every series, and the series that it makes itself. */
const TARGET_LABELS = ['job', 'instance']
const OF_PROMETHEUS = new Map([['up', TARGET_LABELS]])

/** The series of a scrape: the values of each label, by metric. */
class ScrapedMetrics {
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

  /** Names in an expression that no series has; empty if it is right. */
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

/** A metric that an expression names, with the labels that it compares. */
interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[]
}

interface ReadExpression {
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
function readExpression(text: string): ReadExpression {
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
