import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomId, type UserId } from '../../core/ids.ts'
import { invitationProves, inviterOf, inviterSentence } from './proved-address.ts'

test('an invitation proves the address by the mailed link, or if an operator’s command made it', () => {
  const member = randomId<UserId>()
  assert.equal(invitationProves({ made_by: member, by_mail: false }), false)
  assert.equal(invitationProves({ made_by: member, by_mail: true }), true)
  assert.equal(invitationProves({ made_by: null, by_mail: false }), true)
})

test('the inviter is named with the address and the account, and with a doubt about their own address', () => {
  const invited = { inviter_name: 'Huda', inviter_email: 'huda@shop.example', inviter_proved: true, account: 'A shop' }
  const sentence = (user: Parameters<typeof inviterOf>[0]): string => inviterSentence(inviterOf(user))
  assert.equal(sentence(invited), 'Huda <huda@shop.example> invited them to the account "A shop".')
  assert.equal(
    sentence({ ...invited, inviter_name: '', inviter_proved: false, account: null }),
    'huda@shop.example (whose address is not proved either) invited them.',
  )
  assert.equal(
    sentence({ inviter_name: null, inviter_email: null, inviter_proved: false, account: null }),
    'Who invited them is not known.',
  )
})
