import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { generateKey } from '../../../src/domain/keys.ts'
import { until } from '../../../test/support/app.ts'
import { temporaryFolder } from '../../../test/support/folder.ts'
import type { Check } from '../../harness/check.ts'
import { Client } from '../../harness/clients/client.ts'
import { Service } from '../../harness/service.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import {
  probeFileModes,
  probeIdempotency,
  probeOtherAccounts,
  probeRateLimit,
  probeRevokedKey,
  probeScopes,
  probeSecretsAtRest,
  probeWrongKeys,
} from './account-probes.ts'
import { probeGuard, probeRedirect } from './endpoint-probes.ts'
import { probeDelegation, probeExpiry, probeKeyCap } from './key-probes.ts'
import { probeAddressLimit, probeLongLists } from './request-probes.ts'
import type { World } from './world.ts'

const RATE_LIMIT = 60
const RATE_LIMIT_ADDRESS = 200

/** Tries what strangers and other accounts must not be able to do. */
export async function probeService(): Promise<ScenarioResult> {
  await using folder = await temporaryFolder()
  const databaseFile = join(folder.path, 'feed.db')
  const key = generateKey('live', randomBytes)
  const settings = {
    DATABASE_URL: `sqlite:${databaseFile}`,
    RATE_LIMIT: String(RATE_LIMIT),
    RATE_LIMIT_ADDRESS: String(RATE_LIMIT_ADDRESS),
    SIGNUPS_PER_HOUR: '1000',
    OPERATOR_KEY: key,
  }
  await using service = new Service({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'true' })
  const url = await readyUrlOf(service)
  await using guardedService = new Service({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'false' })
  const guardedUrl = await readyUrlOf(guardedService)
  const world: World = { url, databaseFile, rateLimit: RATE_LIMIT, operator: new Client(key, () => url) }
  const checks: Check[] = [
    await probeScopes(world),
    await probeOtherAccounts(world),
    await probeRevokedKey(world),
    await probeRateLimit(world),
    await probeIdempotency(world),
    await probeDelegation(world),
    await probeExpiry(world),
    await probeKeyCap(world),
    await probeSecretsAtRest(world),
    probeFileModes(world),
    await probeLongLists(world),
    await probeRedirect(world),
    await probeGuard(world, { ...world, url: guardedUrl }),
    await probeWrongKeys(world),
    await probeAddressLimit({ ...world, url: guardedUrl }, RATE_LIMIT_ADDRESS),
  ]
  for (const one of [service, guardedService]) one.check()
  return { setup: 'SQLite', times: checks.length, counts: null, checks }
}

async function readyUrlOf(service: Service): Promise<string> {
  await until(async () => {
    service.check()
    return service.url !== null && (await fetch(`${service.url}/readyz`)).ok
  }, 'the service')
  return service.url!
}

export const hostile: Scenario = {
  description: 'what strangers and other accounts must not be able to do',
  rounds: 1,
  quick: async () => [await probeService()],
  run: async () => [await probeService()],
}
