import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressBar } from './progress-bar.ts'

const output = (isTTY: boolean): string => {
  let text = ''
  const progress = progressBar({ isTTY, write: (more) => (text += more) })
  progress.part('Reading', 10)
  progress.at(5)
  progress.part('Writing', 0)
  progress.end()
  progress.end()
  return text
}

test('on a terminal each part is one line with a bar that ends full', () => {
  const parts = output(true).split('\n')
  assert.equal(parts.length, 3)
  for (const [n, name] of ['Reading', 'Writing'].entries()) {
    assert.ok(parts[n]!.startsWith(`\r${name} [${'.'.repeat(30)}] 0%`), parts[n])
    assert.match(parts[n]!, new RegExp(`\r${name} \\[#{30}\\] 100%  \\d+\\.\\d s$`))
  }
})

test('without a terminal each part is a plain line, without a carriage return', () => {
  assert.match(output(false), /^Reading: \d+\.\d s\nWriting: \d+\.\d s\n$/)
})
