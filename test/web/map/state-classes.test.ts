import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLASS_COLOURS, classColours, classOf, stateClasses } from '../../../web/map/state-classes.ts'
import fc from '../../support/fast-check.ts'

test('every state with incidents is in one of at most five classes, which follow one another', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { maxLength: 37 }), (counts) => {
      const classes = stateClasses(counts)
      assert.ok(classes.length <= 5)
      for (const [index, { from, to }] of classes.entries()) {
        assert.ok(from <= to)
        if (index > 0) assert.equal(from, classes[index - 1]!.to + 1)
      }
      for (const count of counts) assert.equal(classOf(count, classes) === null, count === 0)
    }),
  )
})

test('one extreme state does not leave the others in one class', () => {
  const counts = [...Array.from({ length: 36 }, (_, index) => 5 + index * 3), 2224]
  const classes = stateClasses(counts)
  assert.equal(classes.length, 5)
  const inFirst = counts.filter((count) => classOf(count, classes) === 0).length
  assert.ok(inFirst < 12, `${inFirst} of 37 in the first class`)
  assert.deepEqual(
    classes.map(({ from }) => from),
    [5, 25, 45, 70, 90],
  )
})

/** Relative luminance is close enough to the sum of the channels for a ramp of one hue. */
const lightness = (colour: string) =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(colour.slice(at, at + 2), 16), 0)

test('more is darker in the light theme and brighter in the dark one, and never green', () => {
  for (const [theme, sign] of [
    ['light', -1],
    ['dark', 1],
  ] as const) {
    for (const [index, colour] of CLASS_COLOURS[theme].entries()) {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
      assert.ok(green! < Math.max(red!, blue!), colour)
      if (index > 0) assert.ok(sign * (lightness(colour) - lightness(CLASS_COLOURS[theme][index - 1]!)) > 60, colour)
    }
  }
  assert.deepEqual(classColours('light', 2), [CLASS_COLOURS.light[0], CLASS_COLOURS.light[4]])
})
