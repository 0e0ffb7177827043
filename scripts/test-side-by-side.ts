/**
 * Runs the tests of the parts and those in a browser at the same time: both wait more than they work, and one after
 * the other they take half as long again. What the browser's tests print follows as a whole, so that lines do not mix.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

async function run(script: string, output: 'inherit' | 'pipe'): Promise<{ code: number; text: Buffer }> {
  const child = spawn('npm', ['run', script], { stdio: ['ignore', output, output] })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, text: Buffer.concat(chunks) }
}

const [parts, browser] = await Promise.all([run('test:parts', 'inherit'), run('test:browser', 'pipe')])
await new Promise((resolve) => process.stdout.write(browser.text, resolve))
process.exitCode = parts.code || browser.code
