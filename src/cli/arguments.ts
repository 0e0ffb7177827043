import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { readConfig } from '../config/read-config.ts'
import { ConfigError, SettingError } from '../config/setting-kinds.ts'
import { MEMORY } from '../store/files.ts'
import { inspectStore, isPostgres, sqlitePathOf } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { Command, Terminal } from './terminal.ts'

/** Runs the action that the first argument names. */
export async function runAction(
  command: string,
  actions: Readonly<Record<string, Command>>,
  [action = '', ...args]: readonly string[],
  terminal: Terminal,
  usage: string,
): Promise<void> {
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (run === undefined)
    throw new ConfigError(`the actions of ${command} are ${Object.keys(actions).join(', ')}\n\n${usage}`)
  await run(args, terminal)
}

export const DATABASE_OPTION = { 'database-url': { type: 'string' } } as const

/** Also for commands that may write to a database before the service has made it. */
export const STORE_OPTIONS = { ...DATABASE_OPTION, create: { type: 'boolean' } } as const

/** Parses arguments that are all options; a mistake is reported with the command's usage. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  return parse({ args: [...args], options }, usage).values
}

/** Parses options and other arguments, such as files. */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  return parse({ args: [...args], options, allowPositionals: true }, usage)
}

/** Parses options and exactly one other argument; `wanted` says which. */
export function parseOneArgument<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  wanted: string,
  usage: string,
) {
  const { values, positionals } = parseArguments(args, options, usage)
  const [given] = positionals
  if (given === undefined || positionals.length > 1) throw new ConfigError(`${wanted}\n\n${usage}`)
  return { values, given }
}

function parse<const Config extends ParseArgsConfig>(config: Config, usage: string) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}\n\n${usage}`)
  }
}

/**
 * Opens the database that the options or the settings name. One that the service has not made is
 * probably another than the service has, and is created only with `--create`.
 */
export async function openStoreOf(
  values: { readonly 'database-url'?: string | undefined; readonly create?: boolean | undefined },
  terminal: Terminal,
): Promise<Store> {
  const url = databaseUrlFrom(values, terminal)
  if (!values.create) await requireDatabase(url)
  return terminal.openStore(url)
}

export async function requireDatabase(url: string): Promise<void> {
  const path = isPostgres(url) ? null : sqlitePathOf(url)
  if (path === MEMORY) return
  if (path !== null ? existsSync(path) : (await inspectStore(url)).schemaVersion > 0) return
  const missing =
    path === null ? 'The database has no tables of this service' : `There is no database at ${resolve(path)}`
  throw new SettingError(
    `${missing}; DATABASE_URL or --database-url says where it is, the first start of the service creates it, and so does --create`,
  )
}

/** Reads the setting DATABASE_URL, from `--database-url` or the environment. */
export function databaseUrlFrom(values: { readonly 'database-url'?: string | undefined }, { env }: Terminal): string {
  const flag = values['database-url']
  return readConfig(env, flag ? ['--database-url', flag] : []).DATABASE_URL
}
