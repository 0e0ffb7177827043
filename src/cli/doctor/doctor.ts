import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { ConfigError } from '../../config/config-error.ts'
import { VERSION } from '../../version.ts'
import { examine, type Settings } from './examine.ts'
import { worstOf } from './finding.ts'
import { resultsAsJson, resultsAsText } from './print.ts'

/** Looks at everything that the service needs, and says what to mend. Exit code 1 if a check failed. */
export async function doctorCommand(args: readonly string[]): Promise<void> {
  const { isJson, envFile, flags } = readOptions(args)
  const results = await examine(await readSettings(envFile, flags))
  console.log(isJson ? resultsAsJson(results, VERSION) : resultsAsText(results))
  if (worstOf(results.flatMap(({ findings }) => findings)) === 'failed') process.exitCode = 1
}

/** `--json` and `--env-file FILE`; the other flags are settings, as those of `serve`. */
function readOptions(args: readonly string[]) {
  const flags = args.filter((word) => word !== '--json')
  const isJson = flags.length < args.length
  const at = flags.findIndex((word) => word === '--env-file' || word.startsWith('--env-file='))
  if (at === -1) return { isJson, envFile: null, flags }
  const isSeparate = flags[at] === '--env-file'
  const envFile = isSeparate ? flags[at + 1] : flags[at]!.slice('--env-file='.length)
  if (!envFile) throw new ConfigError('--env-file takes the file with the settings of the service')
  return { isJson, envFile, flags: flags.toSpliced(at, isSeparate ? 2 : 1) }
}

/** The file's settings go before those of the environment, as systemd and containers do it. */
async function readSettings(envFile: string | null, flags: readonly string[]): Promise<Settings> {
  if (envFile === null) return { environment: process.env, flags, fileNames: [] }
  const text = await readFile(envFile, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${envFile} cannot be read: ${error.message}`)
  })
  const inFile = parseEnv(text)
  return { environment: { ...process.env, ...inFile }, flags, fileNames: Object.keys(inFile) }
}
