import pg from 'pg'
import { until } from '../../../test/support/app.ts'
import type { Check } from '../../harness/check.ts'
import type { Harness } from '../../harness/harness.ts'

/** Kills the node that fans out, again and again, and measures how long until another does. */
export async function fanOutIsTakenOver(
  harness: Harness,
  databaseUrl: string,
  times: number,
  within: number,
): Promise<Check[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const took: number[] = []
  try {
    for (let round = 0; round < times && harness.isWorking; round++) {
      harness.check()
      await harness.nextConfirmation()
      const holder = await holderOf(client)
      const victim = harness.services.find(({ pid }) => pid === holder)
      if (victim === undefined) throw new Error(`process ${holder} fans out, and is none of ours`)
      const began = performance.now()
      // Not waited for: whoever takes over does not wait for the next process either.
      const restarting = victim.killAndRestart()
      await until(async () => ![holder, null].includes(await holderOf(client)), 'the next one to fan out')
      took.push(performance.now() - began)
      await restarting
    }
  } finally {
    await client.end()
  }
  const longest = Math.max(...took)
  const name = `killed, the node that fans out is replaced by another within ${within} ms`
  return [{ name, passed: longest <= within, observed: `${Math.round(longest)} ms at most, ${took.length} times` }]
}

/** The number of the process that holds the fan-out, which is part of its name there. */
async function holderOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ owner: string | null }>('SELECT owner FROM fan_out')
  const owner = rows[0]?.owner
  return owner ? Number(owner.split('/')[1]) : null
}
