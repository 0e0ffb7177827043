import { readConfig } from '../../config/read-config.ts'
import { SettingError } from '../../config/setting-kinds.ts'
import type { Config } from '../../config/settings.ts'
import { newTipSecret } from '../../desk/tips/challenges.ts'
import { trustNobody } from '../../lib/network.ts'
import { clockOf } from '../../startup/clock.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { VERSION } from '../../version.ts'
import type { Terminal } from '../terminal.ts'
import {
  type CheckResult,
  type Finding,
  failed,
  ok,
  resultsAsJson,
  resultsAsText,
  skipped,
  warning,
  worstOf,
} from './findings.ts'
import { type ClockReading, checkDatabase, checkDisk, checkSecrets, judgeAges, judgeClock } from './machine.ts'
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
import { checkContradictions } from './settings.ts'

const OTHER_CHECKS = ['database', 'secrets', 'clock', 'disk', 'mail', 'dns', 'public address', 'proxy']
/** A Date header has whole seconds. */
const DATE_PRECISION_MS = 1000

/**
 * Looks at everything that the service needs, and says what to mend. Exit code 1 if a check failed.
 * A check migrates nothing, sends no mail and leaves the modes of files; it writes at most one row,
 * the secret that signs probes. It never throws for what it was made to find.
 */
export async function doctorCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = args.filter((word) => word !== '--json')
  const results = await examine(flags, terminal)
  terminal.print(flags.length < args.length ? resultsAsJson(results, VERSION) : resultsAsText(results))
  if (worstOf(results.flatMap(({ findings }) => findings)) === 'failed') terminal.exitCode = 1
}

/** Runs every check. Those that need what an earlier one found wrong are skipped, and say so. */
async function examine(flags: readonly string[], { env, misspelled }: Terminal): Promise<CheckResult[]> {
  const found = misspelled.map(({ message, mend }) => warning(message, mend))
  try {
    const config = readConfig(env, flags)
    found.push(...checkContradictions(config))
    const settled = found.length === 0 ? [ok('All settings are known, and fit together')] : found
    return [{ check: 'settings', findings: settled }, ...(await examineParts(config))]
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const wrong = 'Correct the value: the service does not start with it.'
    found.push(...error.message.split('\n').map((message) => failed(message, wrong)))
    const waiting = [skipped('Not checked, because the settings have to be mended first')]
    return [{ check: 'settings', findings: found }, ...OTHER_CHECKS.map((check) => ({ check, findings: waiting }))]
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
    { check: 'database', findings: [...database.findings, ...(await rowsFound(store))] },
    { check: 'secrets', findings: secrets },
    { check: 'clock', findings: [...judgeClock(Date.now(), readings), ...(await checkAges(store))] },
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

async function rowsFound(store: Store | null): Promise<Finding[]> {
  if (store === null) return []
  const rows = Object.entries(await store.tables.rows())
  return [ok(`Rows, roughly: ${rows.map(([table, count]) => `${table} ${count.toLocaleString('en')}`).join(', ')}`)]
}

async function checkAges(store: Store | null): Promise<Finding[]> {
  const seen = (await store?.clock.read()) ?? null
  if (store === null || seen === null) return []
  const now = await clockOf(store)
  return [...judgeAges(now(), seen)]
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
