import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readConfig } from '../config/read-config.ts'
import { ConfigError } from '../config/setting-kinds.ts'

/** Parses a command's arguments; a mistake is reported with the command's usage. */
export function parseOptions<Options extends ParseArgsConfig>(options: Options, usage: string) {
  try {
    return parseArgs(options)
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Reads the setting DATABASE_URL, from `--database-url` or the environment. */
export function databaseUrlFrom(flag: string | undefined): string {
  return readConfig(process.env, flag ? ['--database-url', flag] : []).DATABASE_URL
}
