import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'

const PREFIX = 'incident_feed_'
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/monitoring.md'), 'utf8')

test('docs/monitoring.md describes every metric of the service, with its labels, and no other', async () => {
  await using app = await startTestApp()
  const text = await (await app.get('/metrics', null)).text()
  const metrics = [...text.matchAll(/^# TYPE incident_feed_(\S+) (\S+)$/gm)].map(([, name]) => name!)
  const rows = [...PAGE.matchAll(/^\| (`[^|]+) \| ([^|]*(?:gauge|counter|histogram)[^|]*) \|/gm)]
  const described = rows.flatMap(([, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  assert.deepEqual(described.toSorted(), metrics.toSorted())
  for (const [, names, kind] of rows)
    for (const label of kind!.matchAll(/`(\w+)`/g))
      assert.ok(isLabelOf(label[1]!, names!), `${names} has the label ${label[1]}`)

  function isLabelOf(label: string, names: string): boolean {
    const used = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${PREFIX}${name}`)
    // A counter without a series yet has only its HELP line.
    return used.some((name) => {
      const series = text.split('\n').filter((line) => new RegExp(`^${name}(_bucket)?[{ ]`).test(line))
      return series.length === 0 || series.some((line) => line.includes(`${label}="`))
    })
  }
})
