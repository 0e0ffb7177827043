#!/usr/bin/env node
import { WrongSetting } from './config.ts'
import { StoreUnavailable, StoreUnusable } from './store/store.ts'

type Command = (words: readonly string[]) => Promise<void>

/** Loaded when asked for: making a key needs no web server. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand,
  keys: async () => (await import('./cli/keys.ts')).keysCommand,
}

const USAGE = `incident-feed [serve] [--setting value …]   run the service
incident-feed keys create --scope operate   make a key in the database
incident-feed keys generate                 make a key for OPERATOR_KEY

Settings are described in docs/settings.md.`

const words = process.argv.slice(2)
const isCommand = words[0] !== undefined && !words[0].startsWith('--')
const name = isCommand ? words[0]! : 'serve'

try {
  if (words.includes('--help') || name === 'help') console.log(USAGE)
  else if (!Object.hasOwn(COMMANDS, name)) throw new WrongSetting(`${name} is not a command\n\n${USAGE}`)
  else await (await COMMANDS[name]!())(isCommand ? words.slice(1) : words)
} catch (error) {
  const expected = error instanceof WrongSetting || error instanceof StoreUnusable || error instanceof StoreUnavailable
  console.error(expected ? `incident-feed: ${error.message}` : error)
  process.exitCode = 1
}
