/** The words after `npm test --` and the files that they name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesNamed, readRequest } from './choose-files.ts'

const every = [
  'packages/dashboard/test/payments/counter.test.ts',
  'packages/server/src/core/money.test.ts',
  'packages/server/test/crashes/crash.slow.test.ts',
  'packages/server/test/merchant-api/create.test.ts',
  'packages/server/test/merchant-api/list.test.ts',
  'packages/server/test/plans/list-plans.slow.test.ts',
]
const named = (words: readonly string[], slow = false): string[] =>
  filesNamed(every, words, slow).map((path) => path.split('/').at(-1)!)

test('a file is named by its path, a part of its path or a part of its name', () => {
  for (const word of ['packages/server/src/core/money.test.ts', 'core/money', 'money', './packages/server/src/core/'])
    assert.deepEqual(named([word]), ['money.test.ts'], word)
})

test('a folder names its files; several words name the files of each, once', () => {
  assert.deepEqual(named(['packages/server/test/merchant-api']), ['create.test.ts', 'list.test.ts'])
  assert.deepEqual(named(['list.test', 'merchant-api/', 'money']), ['list.test.ts', 'create.test.ts', 'money.test.ts'])
})

test('a folder is named by its whole name, a file also by a part of its name', () => {
  assert.deepEqual(named(['payments']), ['counter.test.ts'])
  assert.throws(() => named(['payment']), /No test file has "payment" in its name/)
})

test('slow files are left out, unless they are asked for or nothing else is named', () => {
  assert.deepEqual(named(['list']), ['list.test.ts'])
  assert.deepEqual(named(['list'], true), ['list.test.ts', 'list-plans.slow.test.ts'])
  assert.deepEqual(named(['packages/server/test/plans']), ['list-plans.slow.test.ts'])
  assert.deepEqual(named(['packages/server/test/crashes/crash.slow.test.ts', 'list']), [
    'crash.slow.test.ts',
    'list.test.ts',
  ])
})

test('a word that names no file is refused, beside words that do', () => {
  assert.throws(() => named(['money', 'nothing']), /No test file has "nothing"/)
})

test('options are read at any place, and an unknown one is refused with the usage', () => {
  assert.deepEqual(readRequest(['money', '--watch', '--name', 'a sum', '--slow', 'list']), {
    words: ['money', 'list'],
    name: 'a sum',
    slow: true,
    watch: true,
  })
  assert.equal(readRequest(['money', '--name=a sum']).name, 'a sum')
  for (const args of [['--nmae', 'x'], ['--name'], ['--name='], ['--watch']])
    assert.throws(() => readRequest(args), /npm test -- /, args.join(' '))
  assert.throws(() => readRequest(['--name', '(']), /is no pattern/)
})
