import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastPosterStep } from './poster-steps.ts'

const wallet = (id: string, unique_amounts: string, offered = true) => ({ id, unique_amounts, offered })
const number = wallet('a', 'off')
const unique = wallet('b', 'more')

test('the poster asks for the transaction number only if every wallet of the link needs it', () => {
  assert.equal(lastPosterStep([number], []), 'poster.step3')
  assert.equal(lastPosterStep([unique, wallet('c', 'less')], []), 'poster.step3Wait')
  assert.equal(lastPosterStep([number, unique], []), 'poster.step3Either')
})

test('only the wallets of the link count, and only those that are offered', () => {
  assert.equal(lastPosterStep([number, unique], ['b']), 'poster.step3Wait')
  assert.equal(lastPosterStep([number, unique], ['a']), 'poster.step3')
  assert.equal(lastPosterStep([wallet('a', 'off', false), unique], []), 'poster.step3Wait')
  assert.equal(lastPosterStep([wallet('a', 'off', false)], ['a']), 'poster.step3Either')
  assert.equal(lastPosterStep(undefined, []), 'poster.step3Either')
})
