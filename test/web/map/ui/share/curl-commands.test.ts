import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { listCommand, watchCommand } from '../../../../../web/map/ui/share/curl-commands.ts'
import { startTestApp } from '../../../../support/app.ts'
import { anIncident } from '../../../../support/incident.ts'

const NO_SHAPES = { road: null, polygon: null }

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const printed = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")])
  return printed.toString().split('\0').slice(0, -1)
}

test('the copied API call has the filter, with special characters quoted', () => {
  const filter = new URLSearchParams({ state: "NG-KD,it's $(odd) & more", since: '30d' })
  const [url, , header] = argumentsOf(listCommand('https://example.org', filter, NO_SHAPES))
  assert.deepEqual(new URL(url!).searchParams, filter)
  assert.equal(header, 'Authorization: Bearer <key>')
})

test('a watch takes the filter without its time and box', () => {
  const filter = new URLSearchParams({ state: 'NG-KD,NG-LA', min_confidence: '0.7', since: '30d', bbox: '1,2,3,4' })
  const body = JSON.parse(argumentsOf(watchCommand('https://example.org', filter, NO_SHAPES, "Ada's"))[6]!)
  assert.deepEqual(body, {
    name: "Ada's",
    url: 'https://example.org/hooks/incidents',
    filter: { state: ['NG-KD', 'NG-LA'], min_confidence: 0.7 },
  })
})

const road = {
  line: [
    [7.3, 10.5],
    [7.6, 10.7],
  ],
  bufferKm: 5,
} as const
const polygon = [
  [7, 10.3],
  [8, 10.3],
  [8, 10.8],
  [7, 10.8],
] as const
const shapes = { road, polygon }

test('along a road and in a drawn area, the copied call and the watch send them, and the service takes both', async () => {
  await using app = await startTestApp()
  const onTheRoad = anIncident(1, { lat: 10.6, lng: 7.45 })
  await app.publish([onTheRoad, anIncident(2, { lat: 10.9, lng: 7.45 }), anIncident(3, { lat: 10.71, lng: 8.01 })])
  const filter = new URLSearchParams({
    from: '2020-01-01T00:00:00Z',
    near: '10.5,7.4',
    radius_km: '100',
    bbox: '3,4,14,14',
  })
  /** Returns what the command would send. */
  const bodyOf = (command: string, path: string) => {
    const [url, , , , contentType, , body] = argumentsOf(command)
    assert.deepEqual([url, contentType], [app.url + path, 'Content-Type: application/json'])
    return JSON.parse(body!)
  }
  const list = await app.post(
    '/v1/incidents/query',
    bodyOf(listCommand(app.url, filter, shapes), '/v1/incidents/query'),
  )
  assert.equal(list.status, 200, await list.clone().text())
  const { data } = await list.json()
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [onTheRoad.id],
  )
  const watch = bodyOf(watchCommand(app.url, filter, shapes, 'Road'), '/v1/watches')
  assert.deepEqual(watch.filter.route, { line: road.line, buffer_km: 5 })
  assert.deepEqual(watch.filter.polygon, { type: 'Polygon', coordinates: [[...polygon, polygon[0]]] })
  const preview = await app.post('/v1/watches/preview', { filter: watch.filter, days: 30 })
  assert.equal(preview.status, 200, await preview.text())
})
