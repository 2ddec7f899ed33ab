import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { walletFor } from '../../matching/reading/read-report.ts'
import type { SimSlot } from '../wallet-phones.ts'
import { collidesWith } from './sender-collision.ts'

const wallet = (name: string, senderName: string, simSlot: SimSlot, active = true) => ({
  name,
  senderName,
  simSlot,
  active,
})

test('two wallets of one sender need a SIM each', () => {
  const other = wallet('other', 'Jawali', 'SIM1')
  assert.equal(collidesWith(wallet('a', 'Jawali', 'SIM2'), [other]), undefined)
  assert.equal(collidesWith(wallet('a', 'Jawali', 'SIM1'), [other]), other)
  assert.equal(collidesWith(wallet('a', 'Jawali', ''), [other]), other)
  assert.equal(collidesWith(wallet('a', 'Jaib', ''), [other]), undefined)
  assert.equal(collidesWith(wallet('a', '', ''), [wallet('b', '', '')]), undefined)
})

test('a closed wallet never collides', () => {
  assert.equal(collidesWith(wallet('a', 'Jawali', ''), [wallet('b', 'Jawali', '', false)]), undefined)
  assert.equal(collidesWith(wallet('a', 'Jawali', '', false), [wallet('b', 'Jawali', '')]), undefined)
})

test('among wallets that do not collide, the sender and the SIM of an alert always find its wallet', () => {
  const anyWallet = fc.record({
    name: fc.string(),
    senderName: fc.constantFrom('Jawali', 'Jaib', 'ONE Cash'),
    simSlot: fc.constantFrom('' as const, 'SIM1' as const, 'SIM2' as const),
    active: fc.constant(true),
  })
  fc.assert(
    fc.property(fc.array(anyWallet, { maxLength: 6 }), (candidates) => {
      const bound: (typeof candidates)[number][] = []
      for (const candidate of candidates) if (collidesWith(candidate, bound) === undefined) bound.push(candidate)
      for (const expected of bound) {
        const alert = { sender: expected.senderName, simSlot: expected.simSlot }
        assert.equal(walletFor(bound, alert), expected)
      }
    }),
  )
})
