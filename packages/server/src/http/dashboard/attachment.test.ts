import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileNameOf } from '@sanad/contract/dashboard/file-name'
import fc from 'fast-check'
import { attachment } from './attachment.ts'

test('a file of all wallets has its plain name', () => {
  assert.equal(attachment('intents-2026-01-02', 'csv', null), 'attachment; filename="intents-2026-01-02.csv"')
})

test('a file of some wallets says which, in any language, and how many more there are', () => {
  assert.equal(fileNameOf('day', ['Jawali main', 'فرع التحرير']), 'day-of-Jawali-main_فرع-التحرير')
  assert.equal(fileNameOf('day', []), 'day-no-wallets')
  assert.equal(fileNameOf('day', ['a'.repeat(30), 'b'.repeat(30), 'c']), `day-of-${'a'.repeat(30)}-and-2-more`)
  assert.equal(fileNameOf('day', ['x'.repeat(100)]), 'day-of-1-wallet')
  assert.equal(
    attachment('day', 'csv', ['فرع']),
    `attachment; filename="day-some-wallets.csv"; filename*=UTF-8''day-of-%D9%81%D8%B1%D8%B9.csv`,
  )
})

test('no name of a wallet breaks the header, names a path or makes a file name too long', () => {
  const names = fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 30 })
  fc.assert(
    fc.property(names, (wallets) => {
      const name = fileNameOf('shift-2026-01-02-00000000-0000-4000-8000-000000000000', wallets)
      assert.match(name, /^[\p{L}\p{M}\p{N}_-]+$/u)
      assert.ok(Buffer.byteLength(`${name}.csv`) <= 255, name)
      const header = attachment('day', 'csv', wallets)
      assert.match(header, /^attachment; filename="[\w-]+\.csv"; filename\*=UTF-8''[\w%.-]+$/)
    }),
  )
})
