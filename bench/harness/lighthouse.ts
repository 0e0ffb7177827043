import { launchBrowser } from '../../test/support/browser.ts'
import type { Row } from './row.ts'
import { median } from './statistics.ts'

const ROUNDS = 3
const LIMITS = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 } as const

/** The parts of Lighthouse that are used here; its types come with it, and it need not be there. */
type Lighthouse = (
  url: string,
  flags: { port: number; output: 'json' },
) => Promise<{
  lhr: {
    categories: Record<string, { score: number }>
    audits: Record<string, { numericValue?: number }>
  }
}>

/**
 * The scores of Lighthouse's own mobile setting; the worst of several runs for all but performance.
 */
export async function lighthouseRows(
  url: string,
  subject = 'phone',
  leastPerformance: number = LIMITS.performance,
): Promise<Row[]> {
  const lighthouse = await importLighthouse()
  if (lighthouse === null)
    return [{ name: `${subject}: Lighthouse`, value: 'not measured: it is not installed', limit: '–', ok: true }]
  const results: Awaited<ReturnType<Lighthouse>>['lhr'][] = []
  for (let round = 0; round < ROUNDS; round++) results.push(await runOnce(lighthouse, url))
  const rows = Object.entries({ ...LIMITS, performance: leastPerformance }).map(([name, least]) => {
    const scores = results.map(({ categories }) => Math.round(categories[name]!.score * 100))
    const score = name === 'performance' ? median(scores) : Math.min(...scores)
    return {
      name: `${subject}: Lighthouse, ${name}`,
      value: `${score} (${scores.join(', ')})`,
      limit: `≥ ${least}`,
      ok: score >= least,
    }
  })
  const paints = results.map(({ audits }) => audits['first-contentful-paint']!.numericValue!)
  const text = `${median(paints).toFixed(0)} ms (${paints.map((time) => time.toFixed(0)).join(', ')})`
  return [...rows, { name: `${subject}: Lighthouse, first text`, value: text, limit: '–', ok: true }]
}

async function runOnce(lighthouse: Lighthouse, url: string) {
  const port = 9222 + Math.floor(Math.random() * 1000)
  const browser = await launchBrowser(`--remote-debugging-port=${port}`)
  try {
    return (await lighthouse(url, { port, output: 'json' })).lhr
  } finally {
    await browser.close()
  }
}

async function importLighthouse(): Promise<Lighthouse | null> {
  const name = 'lighthouse'
  try {
    return ((await import(name)) as { default: Lighthouse }).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}
