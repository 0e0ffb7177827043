import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startTestApp, until } from '../../../support/app.ts'
import { testDatabase } from '../../../support/databases/postgres.ts'
import { anIncident } from '../../../support/incident.ts'
import { readListening } from '../../../support/readers.ts'
import { startEndpoint } from '../../../support/receivers.ts'

describe('listening with several nodes', { timeout: 120_000 }, () => {
  it('hears on one node what was published, tested and redelivered on the other, and goes on there', async () => {
    await using database = await testDatabase()
    await using endpoint = await startEndpoint()
    const settings = { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true' }
    await using here = await startTestApp(settings)
    await using there = await startTestApp(settings)
    const key = (await here.issue()).text
    const made = await here.post('/v1/watches', { name: 'Mine', url: endpoint.url }, key)
    const { id, secret } = (await made.json()) as { id: string; secret: string }

    const first = await readListening(`${there.url}/v1/listen?watch=${id}`, key)
    await until(() => first.events().length > 0, 'the first event')
    await here.publish([anIncident(1)])
    await until(() => first.messages().length === 1, 'the message')
    await here.post(`/v1/watches/${id}/test`, '', key)
    await until(() => first.messages().length === 2, 'the test')
    const [{ id: messageId, headers, body }] = first.messages() as [ReturnType<typeof first.messages>[number]]
    new Webhook(secret).verify(body, headers)
    await first[Symbol.asyncDispose]()

    await until(async () => {
      const delivery = (await (await there.get(`/v1/deliveries/${messageId}`, key)).json()) as { status: string }
      return delivery.status === 'delivered'
    }, 'the delivery')
    assert.equal((await there.post(`/v1/deliveries/${messageId}/redeliver`, '', key)).status, 200)
    await there.publish([anIncident(2)])
    await using second = await readListening(`${here.url}/v1/listen?watch=${id}`, key, {
      'last-event-id': first.position(),
    })
    await until(() => second.messages().length === 2, 'what was missed')
    assert.deepEqual(
      new Map(second.messages().map(({ resent, id }) => [resent, id === messageId])),
      new Map([
        [false, false],
        [true, true],
      ]),
    )
  })
})
