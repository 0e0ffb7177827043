#!/usr/bin/env node
import { keysCommand } from './cli/keys.ts'
import { serveCommand } from './cli/serve.ts'
import { WrongSetting } from './config.ts'
import { StoreUnavailable, StoreUnusable } from './store/store.ts'

const COMMANDS: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  serve: serveCommand,
  keys: keysCommand,
}

const USAGE = `incident-feed [serve] [--setting value …]   run the service
incident-feed keys create --scope operate   make a key in the database
incident-feed keys generate                 make a key for OPERATOR_KEY

Settings are described in docs/settings.md.`

const words = process.argv.slice(2)
const [first = 'serve'] = words

try {
  if (first === '--help' || first === 'help') console.log(USAGE)
  else if (first.startsWith('--')) await serveCommand(words)
  else if (Object.hasOwn(COMMANDS, first)) await COMMANDS[first]!(words.slice(1))
  else throw new WrongSetting(`${first} is not a command\n\n${USAGE}`)
} catch (error) {
  const expected = error instanceof WrongSetting || error instanceof StoreUnusable || error instanceof StoreUnavailable
  console.error(expected ? `incident-feed: ${error.message}` : error)
  process.exitCode = 1
}
