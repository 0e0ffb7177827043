import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { readConfig } from '../../config/read-config.ts'
import { ConfigError } from '../../config/setting-kinds.ts'
import type { Config } from '../../config/settings.ts'
import { newTipSecret } from '../../desk/tips/challenges.ts'
import { trustNobody } from '../../lib/network.ts'
import { clockOf } from '../../startup/clock.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { VERSION } from '../../version.ts'
import type { Terminal } from '../terminal.ts'
import { type CheckResult, type Finding, ok, resultsAsJson, resultsAsText, skipped, worstOf } from './findings.ts'
import { type ClockReading, checkDatabase, checkDisk, checkSecrets, judgeClock } from './machine.ts'
import {
  checkDns,
  checkMail,
  judgeProxy,
  judgePublicAddress,
  type Probes,
  type PublicState,
  probePublicAddress,
  readPublicState,
} from './network.ts'
import { checkContradictions, checkNames, checkValues } from './settings.ts'

interface Settings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly flags: readonly string[]
  /** Names in the file of settings, if one was given. */
  readonly fileNames: readonly string[]
}

const OTHER_CHECKS = ['database', 'secrets', 'clock', 'disk', 'mail', 'dns', 'public address', 'proxy']
/** A Date header has whole seconds. */
const DATE_PRECISION_MS = 1000

/**
 * Looks at everything that the service needs, and says what to mend. Exit code 1 if a check failed.
 * A check migrates nothing, sends no mail and leaves the modes of files; it writes at most one row,
 * the secret that signs probes. It never throws for what it was made to find.
 */
export async function doctorCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { isJson, settingsFile, flags } = readOptions(args)
  const results = await examine(await readSettings(settingsFile, flags, terminal))
  terminal.print(isJson ? resultsAsJson(results, VERSION) : resultsAsText(results))
  if (worstOf(results.flatMap(({ findings }) => findings)) === 'failed') terminal.exitCode = 1
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
async function readSettings(
  settingsFile: string | null,
  flags: readonly string[],
  { env }: Terminal,
): Promise<Settings> {
  if (settingsFile === null) return { environment: env, flags, fileNames: [] }
  const text = await readFile(settingsFile, 'utf8').catch((error: Error) => {
    throw new ConfigError(`${settingsFile} cannot be read: ${error.message}`)
  })
  const inFile = parseEnv(text)
  return { environment: { ...env, ...inFile }, flags, fileNames: Object.keys(inFile) }
}

/** Runs every check. Those that need what an earlier one found wrong are skipped, and say so. */
async function examine(settings: Settings): Promise<CheckResult[]> {
  const { environment, flags, fileNames } = settings
  const found = [...checkNames(Object.keys(environment), fileNames), ...checkValues(environment, flags)]
  const config = configOrNull(settings)
  if (config === null) {
    const waiting = [skipped('Not checked, because the settings have to be mended first')]
    return [{ check: 'settings', findings: found }, ...OTHER_CHECKS.map((check) => ({ check, findings: waiting }))]
  }
  found.push(...checkContradictions(config))
  const settled = found.length === 0 ? [ok('All settings are known, and fit together')] : found
  return [{ check: 'settings', findings: settled }, ...(await examineParts(config))]
}

function configOrNull({ environment, flags }: Settings): Config | null {
  try {
    return readConfig(environment, flags)
  } catch (error) {
    if (error instanceof ConfigError) return null
    throw error
  }
}

async function examineParts(config: Config): Promise<CheckResult[]> {
  const database = await checkDatabase(config)
  // With a schema of this version, opening migrates nothing.
  await using store = database.isCurrent ? await openStore(config.DATABASE_URL, { sqlite: { leaveModes: true } }) : null
  const [secrets, disk, mail, dns, publicState] = await Promise.all([
    checkSecrets(config, store),
    checkDisk(config),
    checkMail(config),
    checkDns(config, store),
    readPublicState(config.PUBLIC_URL),
  ])
  const probes = await probesOf(config, store, publicState)
  const readings = await clockReadings(store, publicState)
  const isThisService = probes === 'not tried' ? null : probes !== null
  const publicAddress = [...judgePublicAddress(config.PUBLIC_URL, publicState, isThisService, Date.now())]
  return [
    { check: 'database', findings: database.findings },
    { check: 'secrets', findings: secrets },
    { check: 'clock', findings: [...judgeClock(Date.now(), readings)] },
    { check: 'disk', findings: disk },
    { check: 'mail', findings: mail },
    { check: 'dns', findings: dns },
    { check: 'public address', findings: publicAddress },
    { check: 'proxy', findings: [proxyFinding(config, probes)] },
  ]
}

/** Null if another service answers there. */
async function probesOf(config: Config, store: Store | null, state: PublicState): Promise<Probes | null | 'not tried'> {
  const { PUBLIC_URL: publicUrl } = config
  if (publicUrl === null || store === null || state === null || 'error' in state) return 'not tried'
  if (state.answer.status !== 200) return 'not tried'
  const secret = await store.tips.secret(newTipSecret())
  return probePublicAddress(publicUrl, secret, await clockOf(store))
}

function proxyFinding(config: Config, probes: Probes | null | 'not tried'): Finding {
  if (probes === 'not tried' || probes === null)
    return skipped('Not checked, because no request through PUBLIC_URL reached this service')
  return judgeProxy(probes, config.TRUST_PROXY !== trustNobody)
}

async function clockReadings(store: Store | null, state: PublicState): Promise<ClockReading[]> {
  const readings: ClockReading[] = []
  if (store?.readTime) {
    const before = Date.now()
    const time = await store.readTime()
    readings.push({ of: 'database', time, before, after: Date.now(), precisionMs: 0 })
  }
  if (state !== null && 'answer' in state) {
    const { headers, before, after } = state.answer
    const time = Date.parse(String(headers.date))
    if (!Number.isNaN(time))
      readings.push({ of: 'public address', time, before, after, precisionMs: DATE_PRECISION_MS })
  }
  return readings
}
