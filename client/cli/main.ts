#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { run } from './run.ts'

const interrupted = new AbortController()
// A second interrupt ends the process at once, as the default would.
process.once('SIGINT', () => interrupted.abort())
process.once('SIGTERM', () => interrupted.abort())
// Its error reaches the write that caused it; without a listener it would end the process first.
process.stdout.on('error', () => {})

process.exitCode = await run(
  process.argv.slice(2),
  {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
    home: homedir(),
    signal: interrupted.signal,
  },
  versionOf(['../package.json', '../../package.json']),
)

/** The sources lie one folder below the package, what is built of them two. */
function versionOf(places: readonly string[]): string {
  for (const place of places) {
    try {
      return (JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as { version: string }).version
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new Error('package.json is missing')
}
