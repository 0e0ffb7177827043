import pg from 'pg'
import { until } from '../../../test/support/app.ts'
import type { Check } from '../../harness/check.ts'
import type { Harness } from '../../harness/harness.ts'

/**
 * Kills the fan-out node repeatedly, and measures how long it takes until another node takes over.
 */
export async function checkTakeOver(
  harness: Harness,
  databaseUrl: string,
  rounds: number,
  maxMs: number,
): Promise<Check> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const times: number[] = []
  try {
    for (let round = 0; round < rounds && harness.isConfirming; round++) {
      harness.check()
      await harness.nextConfirmation()
      const pid = await fanOutPid(client)
      const service = harness.services.find((one) => one.pid === pid)
      if (service === undefined) throw new Error(`process ${pid} is the fan-out node, but it is not in this harness`)
      const killedAt = performance.now()
      // Not awaited here: the take-over must not depend on the restart.
      const restarting = service.killAndRestart()
      await until(async () => ![pid, null].includes(await fanOutPid(client)), 'the next fan-out node')
      times.push(performance.now() - killedAt)
      await restarting
    }
  } finally {
    await client.end()
  }
  const longest = Math.max(...times)
  return {
    name: `another node takes over the fan-out within ${maxMs} ms`,
    passed: longest <= maxMs,
    observed: `${Math.round(longest)} ms at most, ${times.length} times`,
  }
}

/** Reads the process id from the owner's name in the database; null if there is no owner. */
async function fanOutPid(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ owner: string | null }>('SELECT owner FROM fan_out')
  const owner = rows[0]?.owner
  return owner ? Number(owner.split('/')[1]) : null
}
