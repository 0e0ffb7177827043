import assert from 'node:assert/strict'
import { it } from 'node:test'
import { alertAddress } from '../../../web/map/ui/place-tools/alert-address.ts'
import { readView } from '../../../web/map/view/view.ts'

const of = (query: string, box: [number, number, number, number] | null = null, language = 'en') =>
  alertAddress(readView(new URLSearchParams(query)), box, language)

it('leads from the map to alerts about what it is restricted to, else about the part that is shown', () => {
  assert.equal(of(''), '/alerts')
  assert.equal(of('span=1y&layer=heat', [7, 10, 8, 11]), '/alerts?box=7,10,8,11')
  assert.equal(of('state=NG-KD&severity=high&span=1y', [7, 10, 8, 11]), '/alerts?state=NG-KD&severity=high')
  assert.equal(of('near=10.5,7.4&radius_km=25', null, 'ha'), '/alerts?near=10.5,7.4&radius_km=25&lang=ha')
  assert.equal(of('road=7.4,10.5;7.5,9.1&buffer_km=5'), '/alerts?road=7.4,10.5;7.5,9.1&buffer_km=5')
  assert.equal(of('polygon=7,10;8,10;8,11;7,10'), '/alerts?polygon=7,10;8,10;8,11;7,10')
})
