import assert from 'node:assert/strict'
import { test } from 'node:test'
import { senderChoices, senderFor, similarSender } from './sender-choice.ts'

test('choosing a provider fills in its only sender, and leaves a choice where it has several', () => {
  assert.equal(senderFor('', undefined, ['Jaib']), 'Jaib')
  assert.equal(senderFor('Jaib', ['Jaib'], ['Jawali']), 'Jawali')
  assert.equal(senderFor('Jaib', ['Jaib'], ['KuraimiMB', 'Kuraimi']), '')
  assert.equal(senderFor('', undefined, []), '')
})

test('a sender that the user has typed stays', () => {
  assert.equal(senderFor('My own', ['Jaib'], ['Jawali']), 'My own')
})

test('a sender that differs from a known one only by case or spaces is found', () => {
  assert.equal(similarSender('JAIB', ['Jaib']), 'Jaib')
  assert.equal(similarSender('onecash', ['ONE Cash']), 'ONE Cash')
  assert.equal(similarSender('Jaib', ['Jaib']), undefined)
  assert.equal(similarSender('Jawali', ['Jaib']), undefined)
  assert.equal(similarSender('', ['Jaib']), undefined)
})

test('the provider’s senders come before those that the phone received, at most six in all', () => {
  assert.deepEqual(senderChoices(['Jaib'], ['Jaib', 'JAIB', 'Jawali']), ['Jaib', 'JAIB', 'Jawali'])
  assert.equal(senderChoices([], ['1', '2', '3', '4', '5', '6', '7']).length, 6)
})
