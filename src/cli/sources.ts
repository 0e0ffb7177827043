import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'
import type { Guard } from '../deliveries/guard/guard.ts'
import { resolvedNames } from '../deliveries/guard/name-resolver.ts'
import { FeedReader } from '../desk/sources/feed-reader.ts'
import { FeedFetcher, FetchProblem } from '../desk/sources/fetch-feed.ts'
import { newSource, requireSource } from '../desk/sources/manage-source.ts'
import { Problem } from '../domain/errors.ts'
import { DEFAULT_EVERY_MINUTES, MAX_EVERY_MINUTES, MAX_SOURCES, type NewsSource, statusOf } from '../domain/sources.ts'
import { machine } from '../lib/runtime.ts'
import { extract } from '../reading/extract.ts'
import { VERSION } from '../version.ts'
import { openStoreOf, parseOneArgument, parseOptions, runAction, STORE_OPTIONS } from './arguments.ts'
import { auditedStore } from './audited-store.ts'
import type { Command, Terminal } from './terminal.ts'

const USAGE = `incident-feed sources add --url https://… --publisher … [--every-minutes ${DEFAULT_EVERY_MINUTES}]
incident-feed sources list
incident-feed sources test src_…|https://…
incident-feed sources pause|resume|remove src_…`

const ACTIONS: Readonly<Record<string, Command>> = {
  add: addSource,
  list: listSources,
  test: testSource,
  pause: (args, terminal) => changeSource(args, terminal, { paused: true }, 'is paused'),
  resume: (args, terminal) => changeSource(args, terminal, { paused: false, dueAt: Date.now() }, 'is polled again'),
  remove: removeSource,
}

const SHOWN_ITEMS = 20

export async function sourcesCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await runAction('sources', ACTIONS, args, terminal, USAGE)
  } catch (error) {
    throw error instanceof Problem ? new ConfigError(sentenceOf(error)) : error
  }
}

async function addSource(args: readonly string[], terminal: Terminal): Promise<void> {
  const text = { type: 'string' } as const
  const values = parseOptions(args, { ...STORE_OPTIONS, url: text, publisher: text, 'every-minutes': text }, USAGE)
  const { url, publisher } = values
  if (url === undefined || publisher === undefined) throw new ConfigError(`give --url and --publisher\n\n${USAGE}`)
  const everyMinutes = Number(values['every-minutes'] ?? DEFAULT_EVERY_MINUTES)
  if (!Number.isInteger(everyMinutes) || everyMinutes < 1 || everyMinutes > MAX_EVERY_MINUTES)
    throw new ConfigError(`--every-minutes takes a whole number from 1 to ${MAX_EVERY_MINUTES}`)
  const source = await newSource({ url, publisher, every_minutes: everyMinutes }, feedGuard(terminal), '', Date.now())
  await using store = await openStoreOf(values, terminal)
  const after = { url: source.url, publisher, every_minutes: everyMinutes }
  const audited = auditedStore(store, { action: 'source.create', subject: source.id, after })
  const { id } = requireSource(await audited.sources.add(source, MAX_SOURCES))
  terminal.print(`${id} is added. The service polls it within seconds, then every ${everyMinutes} minutes.`)
}

/** Decides like the service which addresses may be fetched. */
function feedGuard({ env }: Terminal): Guard {
  const { WEBHOOK_ALLOW_PRIVATE, DNS_SERVERS } = readConfig(env, [])
  return { allowPrivate: WEBHOOK_ALLOW_PRIVATE, lookup: resolvedNames(DNS_SERVERS).lookup }
}

async function listSources(args: readonly string[], terminal: Terminal): Promise<void> {
  await using store = await openStoreOf(parseOptions(args, STORE_OPTIONS, USAGE), terminal)
  const sources = await store.sources.list()
  for (const source of sources) terminal.print(lineOf(source))
  if (sources.length === 0) terminal.print('There is no source yet; incident-feed sources add adds one.')
}

function lineOf(source: NewsSource): string {
  const { id, publisher, url, everyMinutes, polling, counts } = source
  const { items, queued, proposed, confirmed } = counts
  const numbers = `${items} items, ${queued} queued, ${proposed} proposed, ${confirmed} confirmed`
  const status = `${statusOf(source)}, every ${everyMinutes} minutes, ${numbers}`
  const problem = polling.problem === null ? '' : `\n  ${polling.failures} failures: ${polling.problem.detail}`
  return `${id}  ${publisher}  ${url}\n  ${status}${problem}`
}

/** Fetches a feed once and prints what would be read from its items. Stores nothing. */
async function testSource(args: readonly string[], terminal: Terminal): Promise<void> {
  const wanted = 'name a source or give the address of a feed'
  const { values, given } = parseOneArgument(args, STORE_OPTIONS, wanted, USAGE)
  const guard = feedGuard(terminal)
  await using store = given.startsWith('src_') ? await openStoreOf(values, terminal) : null
  const url = store === null ? given : requireSource(await store.sources.find(given)).url
  await using fetcher = new FeedFetcher({
    guard,
    clock: Date.now,
    runtime: machine,
    userAgent: `incident-feed/${VERSION}`,
  })
  await using reader = new FeedReader(machine)
  try {
    const fetched = await fetcher.fetch(url, { etag: null, lastModified: null }, new AbortController().signal)
    if (fetched.movedTo !== null) terminal.print(`The feed has moved to ${fetched.movedTo}`)
    const items = fetched.kind === 'feed' ? await reader.read(fetched.text) : []
    terminal.print(`${items.length} items`)
    for (const { title, text, publishedAt } of items.slice(0, SHOWN_ITEMS)) {
      const published_at = publishedAt === null ? null : new Date(publishedAt).toISOString()
      terminal.print(`\n${published_at ?? 'no time'}  ${title}`)
      for (const { type, state, lga, score } of extract({ title, text, published_at }))
        terminal.print(`  ${type}, ${[lga, state].filter((name) => name !== null).join(', ') || 'no place'} (${score})`)
    }
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    terminal.print(`${error.problem.code}: ${error.problem.detail}`)
    terminal.exitCode = 1
  }
}

async function changeSource(
  args: readonly string[],
  terminal: Terminal,
  patch: { paused: boolean; dueAt?: number },
  done: string,
) {
  const { values, given } = parseOneArgument(args, STORE_OPTIONS, 'name one source', USAGE)
  await using store = await openStoreOf(values, terminal)
  const { paused } = requireSource(await store.sources.find(given))
  const act = { action: 'source.change', subject: given, before: { paused }, after: { paused: patch.paused } }
  requireSource(await auditedStore(store, act).sources.change(given, patch))
  terminal.print(`${given} ${done}.`)
}

async function removeSource(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, given } = parseOneArgument(args, STORE_OPTIONS, 'name one source', USAGE)
  await using store = await openStoreOf(values, terminal)
  const { url, publisher } = requireSource(await store.sources.find(given))
  const audited = auditedStore(store, { action: 'source.remove', subject: given, before: { url, publisher } })
  if (!(await audited.sources.remove(given))) requireSource(null)
  terminal.print(`${given} is removed; its reports stay.`)
}

function sentenceOf({ message, errors }: Problem): string {
  const first = errors?.[0]
  return first === undefined ? message : `${(first.pointer ?? '').replace('/', '--')} ${first.message}`
}
