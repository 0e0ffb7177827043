import { randomBytes } from 'node:crypto'
import { generateKey } from '../../../src/domain/keys.ts'
import { temporaryFolder } from '../../../test/support/folder.ts'
import type { Check } from '../../harness/check.ts'
import { Client } from '../../harness/clients/client.ts'
import { onEachStore, onEmptyDatabase } from '../../harness/databases.ts'
import { FakeClock } from '../../harness/fake-clock.ts'
import { Service } from '../../harness/service.ts'
import { notRun, type Scenario, type ScenarioResult } from '../../scenario.ts'
import {
  checkPause,
  checkPendingPause,
  checkRecoverAndRedeliver,
  checkRetracted,
  checkRotation,
  checkTest,
} from './actions.ts'
import { Desk } from './desk.ts'
import { checkGone, checkLateGone } from './gone.ts'
import { checkClockRollback, checkRetryAfter, checkSchedule } from './retries.ts'
import { WatchUnderTest } from './watch-under-test.ts'

/** Reads the clock's file on every call: the service does little here. */
const REREAD_MS = 0

/** Moves the clock through the retry schedule, and uses every action on watches and deliveries. */
export async function checkWebhooks(setup: string, databaseUrl: string): Promise<ScenarioResult> {
  await using folder = await temporaryFolder()
  const clock = await FakeClock.create(folder.path, REREAD_MS)
  if (clock === null) return notRun(setup, 'libfaketime is not installed (apt-get install faketime)')
  const key = generateKey('live', randomBytes)
  const settings = { DATABASE_URL: databaseUrl, OPERATOR_KEY: key, RATE_LIMIT: '100000', WEBHOOK_ALLOW_PRIVATE: 'true' }
  await using service = new Service({ ...settings, ...clock.environment })
  const desk = new Desk(new Client(key, () => service.url))
  await using scope = new AsyncDisposableStack()
  const watchFor = async (state: string) => scope.use(await WatchUnderTest.create(desk, state))
  const first = await watchFor('Zamfara')
  const checks: Check[] = [
    await checkSchedule(first, clock),
    ...(await checkRecoverAndRedeliver(first)),
    await checkRetryAfter(await watchFor('Borno'), clock),
    await checkPause(await watchFor('Kano')),
    await checkPendingPause(await watchFor('Benue')),
    await checkTest(await watchFor('Lagos')),
    await checkRotation(await watchFor('Kaduna'), clock),
    await checkRetracted(await watchFor('Katsina'), (id) => desk.retract(id)),
    await checkGone(await watchFor('Sokoto')),
    await checkLateGone(await watchFor('Yobe')),
    await checkClockRollback(await watchFor('Plateau'), clock),
  ]
  service.check()
  return { setup, times: checks.length, counts: null, checks }
}

export const webhooks: Scenario = {
  description: 'the retry schedule with a moved clock, and every action on watches',
  rounds: 1,
  quick: () => onEmptyDatabase('sqlite', async (url) => [await checkWebhooks('SQLite', url)]),
  run: () => onEachStore(checkWebhooks),
}
