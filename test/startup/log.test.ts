import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logLine } from '../../src/startup/log.ts'

const TIME = new Date(2026, 10, 16, 21, 40, 5).getTime()
const entry = { level: 30, time: TIME, pid: 7, hostname: 'vm' }

test('an entry is one line with the time of day, the message and its fields', () => {
  assert.equal(logLine({ ...entry, msg: 'ready', incidents: 3, seq: 12 }), '21:40:05 ready (incidents 3, seq 12)\n')
  assert.equal(logLine({ ...entry, msg: 'stopped' }), '21:40:05 stopped\n')
})

test('a warning and an error say so', () => {
  assert.equal(logLine({ ...entry, level: 40, msg: 'slow' }), '21:40:05 warning: slow\n')
  assert.equal(logLine({ ...entry, level: 50, msg: 'broken' }), '21:40:05 error: broken\n')
})

test('the stack of an error stands beneath, indented', () => {
  const line = logLine({ ...entry, level: 40, msg: 'failed', err: { message: 'x', stack: 'Error: x\n    at y' } })
  assert.equal(line, '21:40:05 warning: failed\n         Error: x\n             at y\n')
})

test('control characters of clients do not reach the terminal', () => {
  const line = logLine({ ...entry, msg: 'a\u001b[2Jb\nc\u009b31m', url: '/\r\u202ex', deep: { word: '\u009b' } })
  assert.equal(line, '21:40:05 a\\u001b[2Jb\\u000ac\\u009b31m (url /\\u000d\\u202ex, deep {"word":"\\u009b"})\n')
})
