/** The lines of the log on a terminal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from './log.ts'
import { textLine } from './log-text.ts'

test('a line has the time, the level, the text and its facts; nothing is lost', () => {
  const line = {
    level: 'info',
    time: '2026-03-01T08:00:01.250Z',
    req: 'a-1',
    status: 200,
    route: '/x y/',
    msg: 'answered',
  }
  assert.equal(textLine(JSON.stringify(line)), '08:00:01.250 INFO  answered req=a-1 status=200 route="/x y/"\n')
})

test('a fault is shown with its stack, on lines of its own', () => {
  const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at here' }
  const line = textLine(
    JSON.stringify({ level: 'error', time: '2026-03-01T08:00:01.250Z', err, msg: 'a request failed' }),
  )
  assert.equal(line, '08:00:01.250 ERROR a request failed\n    Error: broken\n        at here\n')
})

test('no text can forge a line or move the cursor', () => {
  const line = textLine(
    JSON.stringify({ level: 'info', time: '', note: 'a\nb\u001b[2J\r\u202e', msg: 'x\ny\u001b[1A' }),
  )
  assert.equal(line.split('\n').length, 2)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
  assert.doesNotMatch(line, /[\u0000-\u0009\u000b-\u001f\u202e]/)
})

test('what is not a line of the log stays as it is', () => {
  for (const text of ['plain\n', '[1]\n', '']) assert.equal(textLine(text), text)
})

test('a log of text has no JSON line, a log of JSON no other, also with facts of every kind', () => {
  for (const format of ['text', 'json'] as const) {
    const lines: string[] = []
    const log = openLog('trace', format, { write: (line: string) => void lines.push(line) })
    log.info({ a: 1, nested: { b: [2] } }, 'one')
    log.error({ err: new Error('two') }, 'failed')
    log.warn('three')
    const isJson = lines.map((line) => line.startsWith('{') && line.endsWith('}\n') && JSON.parse(line) !== undefined)
    assert.deepEqual(isJson, [format === 'json', format === 'json', format === 'json'])
  }
})
