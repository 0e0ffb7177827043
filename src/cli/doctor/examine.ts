import { readConfig } from '../../config/read-config.ts'
import { ConfigError } from '../../config/setting-kinds.ts'
import type { Config } from '../../config/settings.ts'
import { newTipSecret } from '../../desk/tips/challenges.ts'
import { trustNobody } from '../../lib/network.ts'
import { clockOf } from '../../startup/clock.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { type ClockReading, judgeClock } from './checks/clock.ts'
import { checkContradictions } from './checks/contradictions.ts'
import { checkDatabase } from './checks/database.ts'
import { checkDisk } from './checks/disk.ts'
import { checkDns } from './checks/dns.ts'
import { checkMail } from './checks/mail.ts'
import { checkNames } from './checks/names.ts'
import { judgeProxy, type Probes } from './checks/proxy.ts'
import { judgePublicAddress, type PublicState, readPublicState } from './checks/public-address.ts'
import { checkSecrets } from './checks/secrets.ts'
import { checkValues } from './checks/values.ts'
import { type CheckResult, type Finding, ok, skipped } from './finding.ts'
import { FORGED_ADDRESS, probeService } from './probe.ts'

export interface Settings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly flags: readonly string[]
  /** Names in the file of settings, if one was given. */
  readonly fileNames: readonly string[]
}

const OTHER_CHECKS = ['database', 'secrets', 'clock', 'disk', 'mail', 'dns', 'public address', 'proxy']
/** A Date header has whole seconds. */
const DATE_PRECISION_MS = 1000

/** Runs every check. Those that need what an earlier one found wrong are skipped, and say so. */
export async function examine(settings: Settings): Promise<CheckResult[]> {
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
  const publicAddress = judgePublicAddress(config.PUBLIC_URL, publicState, isThisService, Date.now())
  return [
    { check: 'database', findings: database.findings },
    { check: 'secrets', findings: secrets },
    { check: 'clock', findings: judgeClock(Date.now(), readings) },
    { check: 'disk', findings: disk },
    { check: 'mail', findings: mail },
    { check: 'dns', findings: dns },
    { check: 'public address', findings: publicAddress },
    { check: 'proxy', findings: proxyFindings(config, probes) },
  ]
}

/** Null if another service answers there. */
async function probesOf(config: Config, store: Store | null, state: PublicState): Promise<Probes | null | 'not tried'> {
  const { PUBLIC_URL: publicUrl } = config
  if (publicUrl === null || store === null || state === null || 'error' in state) return 'not tried'
  if (state.answer.status !== 200) return 'not tried'
  const secret = await store.tips.secret(newTipSecret())
  const time = await clockOf(store)
  const plain = await probeService(publicUrl, secret, time)
  const forged = plain && (await probeService(publicUrl, secret, time, { 'x-forwarded-for': FORGED_ADDRESS }))
  return plain && forged && { plain, forged }
}

function proxyFindings(config: Config, probes: Probes | null | 'not tried'): Finding[] {
  if (probes === 'not tried' || probes === null)
    return [skipped('Not checked, because no request through PUBLIC_URL reached this service')]
  return judgeProxy(probes, config.TRUST_PROXY !== trustNobody)
}

async function clockReadings(store: Store | null, state: PublicState): Promise<ClockReading[]> {
  const readings: ClockReading[] = []
  if (store?.readTime) {
    const before = Date.now()
    const time = await store.readTime()
    readings.push({ of: 'database', time, before, after: Date.now(), precisionMs: 0 })
  }
  const date = state !== null && 'answer' in state ? Date.parse(String(state.answer.headers.date)) : Number.NaN
  if (state !== null && 'answer' in state && !Number.isNaN(date)) {
    const { before, after } = state.answer
    readings.push({ of: 'public address', time: date, before, after, precisionMs: DATE_PRECISION_MS })
  }
  return readings
}
