import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { ConfigError } from '../../config/setting-kinds.ts'
import { VERSION } from '../../version.ts'
import { examine, type Settings } from './examine.ts'
import { worstOf } from './finding.ts'
import { resultsAsJson, resultsAsText } from './print.ts'

/**
 * Looks at everything that the service needs, and says what to mend. Exit code 1 if a check failed.
 */
export async function doctorCommand(args: readonly string[]): Promise<void> {
  const { isJson, settingsFile, flags } = readOptions(args)
  const results = await examine(await readSettings(settingsFile, flags))
  console.log(isJson ? resultsAsJson(results, VERSION) : resultsAsText(results))
  if (worstOf(results.flatMap(({ findings }) => findings)) === 'failed') process.exitCode = 1
}

/**
 * `--json` and `--settings-file FILE`; the other flags are settings, as those of `serve`. Not
 * `--env-file`: Node takes that for itself, wherever it stands.
 */
function readOptions(args: readonly string[]) {
  const flags = args.filter((word) => word !== '--json')
  const isJson = flags.length < args.length
  const at = flags.findIndex((word) => word === '--settings-file' || word.startsWith('--settings-file='))
  if (at === -1) return { isJson, settingsFile: null, flags }
  const isSeparate = flags[at] === '--settings-file'
  const settingsFile = isSeparate ? flags[at + 1] : flags[at]!.slice('--settings-file='.length)
  if (!settingsFile) throw new ConfigError('--settings-file takes the file with the settings of the service')
  return { isJson, settingsFile, flags: flags.toSpliced(at, isSeparate ? 2 : 1) }
}

/** The file's settings go before those of the environment, as systemd and containers do it. */
async function readSettings(settingsFile: string | null, flags: readonly string[]): Promise<Settings> {
  if (settingsFile === null) return { environment: process.env, flags, fileNames: [] }
  const text = await readFile(settingsFile, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${settingsFile} cannot be read: ${error.message}`)
  })
  const inFile = parseEnv(text)
  return { environment: { ...process.env, ...inFile }, flags, fileNames: Object.keys(inFile) }
}
