import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadsAtOnce } from '../../../../../web/map/canvas/loading/load-policy.ts'

test('the map library is loaded at once only on a wide screen with a fast line', () => {
  for (const [connection, smallScreen, expected] of [
    [undefined, false, true],
    [undefined, true, false],
    [{ effectiveType: '4g', saveData: false }, false, true],
    [{ effectiveType: '4g', saveData: false }, true, false],
    [{ effectiveType: '4g', saveData: true }, false, false],
    [{ effectiveType: '3g' }, false, false],
    [{ effectiveType: '2g' }, false, false],
    [{ effectiveType: 'slow-2g' }, false, false],
  ] as const)
    assert.equal(loadsAtOnce(connection, smallScreen), expected, JSON.stringify([connection, smallScreen]))
})
