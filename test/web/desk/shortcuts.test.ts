import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHORTCUTS, shortcutFor } from '../../../web/desk/keyboard/shortcuts.ts'

const press = (key: string, changes: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...changes,
})

test('every shortcut has a key of its own', () => {
  const keys = Object.values(SHORTCUTS).map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length)
})

test('a key with a modifier belongs to the browser', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    for (const { key } of Object.values(SHORTCUTS)) assert.equal(shortcutFor(press(key, { [modifier]: true })), null)
  assert.equal(shortcutFor(press('C', { shiftKey: true })), null)
  assert.equal(shortcutFor(press('?', { shiftKey: true })), 'help')
})

test('a key that is held down decides once, and moves on as long as it is held', () => {
  assert.equal(shortcutFor(press('c')), 'confirm')
  assert.equal(shortcutFor(press('c', { repeat: true })), null)
  assert.equal(shortcutFor(press('j', { repeat: true })), 'next')
})
