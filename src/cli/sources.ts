import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import { newSource, requireSource } from '../desk/sources/manage-source.ts'
import { Problem } from '../domain/errors.ts'
import { DEFAULT_EVERY_MINUTES, MAX_EVERY_MINUTES, MAX_SOURCES, type NewsSource, statusOf } from '../domain/sources.ts'
import { openStore } from '../store/open.ts'
import { onRecord } from './on-record.ts'
import { databaseUrlFrom, parseOptions } from './parse-options.ts'
import { guardOf, testFeed } from './test-feed.ts'

const USAGE = `incident-feed sources add --url https://… --publisher … [--every-minutes ${DEFAULT_EVERY_MINUTES}]
incident-feed sources list
incident-feed sources test src_…|https://…
incident-feed sources pause|resume|remove src_…`

const ACTIONS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  add: addSource,
  list: listSources,
  test: testSource,
  pause: (args) => changeSource(args, { paused: true }, 'is paused'),
  resume: (args) => changeSource(args, { paused: false, dueAt: Date.now() }, 'is polled again'),
  remove: removeSource,
}

const OPTIONS = { 'database-url': { type: 'string' } } as const

export async function sourcesCommand([action = '', ...args]: readonly string[]): Promise<void> {
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (run === undefined)
    throw new ConfigError(`the actions of sources are ${Object.keys(ACTIONS).join(', ')}\n\n${USAGE}`)
  await run(args).catch((error: unknown) => {
    throw error instanceof Problem ? new ConfigError(sentenceOf(error)) : error
  })
}

async function addSource(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const options = { ...OPTIONS, url: text, publisher: text, 'every-minutes': text }
  const { values } = parseOptions({ args: [...args], options }, USAGE)
  const { url, publisher } = values
  if (url === undefined || publisher === undefined) throw new ConfigError(`give --url and --publisher\n\n${USAGE}`)
  const everyMinutes = Number(values['every-minutes'] ?? DEFAULT_EVERY_MINUTES)
  if (!Number.isInteger(everyMinutes) || everyMinutes < 1 || everyMinutes > MAX_EVERY_MINUTES)
    throw new ConfigError(`--every-minutes takes a whole number from 1 to ${MAX_EVERY_MINUTES}`)
  const config = readConfig(process.env, [])
  const source = await newSource({ url, publisher, every_minutes: everyMinutes }, guardOf(config), '', Date.now())
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const after = { url: source.url, publisher, every_minutes: everyMinutes }
  const recorded = onRecord(store, { action: 'source.create', subject: source.id, after })
  const { id } = requireSource(await recorded.sources.add(source, MAX_SOURCES))
  console.log(`${id} is added. The service polls it within seconds, then every ${everyMinutes} minutes.`)
}

async function listSources(args: readonly string[]): Promise<void> {
  const { values } = parseOptions({ args: [...args], options: OPTIONS }, USAGE)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const sources = await store.sources.list()
  for (const source of sources) console.log(lineOf(source))
  if (sources.length === 0) console.log('There is no source yet; incident-feed sources add adds one.')
}

async function testSource(args: readonly string[]): Promise<void> {
  const { values, given } = oneArgument(args, 'name a source or give the address of a feed')
  const config = readConfig(process.env, [])
  if (!given.startsWith('src_')) return testFeed(given, config)
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  await testFeed(requireSource(await store.sources.find(given)).url, config)
}

async function changeSource(
  args: readonly string[],
  patch: { paused: boolean; dueAt?: number },
  done: string,
): Promise<void> {
  const { values, given } = oneArgument(args, 'name one source')
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const { paused } = requireSource(await store.sources.find(given))
  const act = { action: 'source.change', subject: given, before: { paused }, after: { paused: patch.paused } }
  requireSource(await onRecord(store, act).sources.change(given, patch))
  console.log(`${given} ${done}.`)
}

async function removeSource(args: readonly string[]): Promise<void> {
  const { values, given } = oneArgument(args, 'name one source')
  await using store = await openStore(databaseUrlFrom(values['database-url']))
  const { url, publisher } = requireSource(await store.sources.find(given))
  const recorded = onRecord(store, { action: 'source.remove', subject: given, before: { url, publisher } })
  if (!(await recorded.sources.remove(given))) requireSource(null)
  console.log(`${given} is removed; its reports stay.`)
}

function oneArgument(args: readonly string[], wanted: string) {
  const { values, positionals } = parseOptions({ args: [...args], options: OPTIONS, allowPositionals: true }, USAGE)
  const [given] = positionals
  if (given === undefined || positionals.length > 1) throw new ConfigError(`${wanted}\n\n${USAGE}`)
  return { values, given }
}

function lineOf(source: NewsSource): string {
  const { id, publisher, url, everyMinutes, polling, counts } = source
  const { items, queued, proposed, confirmed } = counts
  const numbers = `${items} items, ${queued} queued, ${proposed} proposed, ${confirmed} confirmed`
  const status = `${statusOf(source)}, every ${everyMinutes} minutes, ${numbers}`
  const problem = polling.problem === null ? '' : `\n  ${polling.failures} failures: ${polling.problem.detail}`
  return `${id}  ${publisher}  ${url}\n  ${status}${problem}`
}

function sentenceOf({ message, errors }: Problem): string {
  const first = errors?.[0]
  return first === undefined ? message : `${(first.pointer ?? '').replace('/', '--')} ${first.message}`
}
