import assert from 'node:assert/strict'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { startTestApp } from '../../support/app.ts'
import { promtool, promtoolMissing } from '../../support/external-programs.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { ScrapedMetrics } from './scraped-metrics.ts'

const FOLDER = join(import.meta.dirname, '../../../deploy/monitoring')
const DOCS = join(import.meta.dirname, '../../../docs/monitoring.md')
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
