/**
 * Plants the objects of two branches of one account, for tests that try to reach one branch from the other: each of the two wallets
 * has intents in every state, messages, a sale, checkouts, a link, a voucher. Everything that is of the other branch contains its
 * marker: in an order, a payer, a reference, a name or an amount.
 */
import assert from 'node:assert/strict'
import type { WalletId } from '../../../src/core/ids.ts'
import type { queueStory } from '../../support/queue-story.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import type { Answer, TestService } from '../../support/story.ts'
import { createMember } from '../../support/users.ts'

export type BranchObjects = {
  readonly walletId: WalletId
  /** Ids by the prefix of their path. */
  readonly ids: Readonly<Record<string, readonly string[]>>
  /** Texts that must not reach who does not see the wallet. */
  readonly markers: readonly string[]
}

type Story = Awaited<ReturnType<typeof queueStory>>

const done = (answer: Answer, status = 201): Answer => {
  assert.equal(answer.status, status, answer.text)
  return answer
}

/**
 * `digits`: four digits that are in all amounts and references of the branch; `mark`: a word in its names. The members of `story`
 * act for it.
 */
export const plantBranch = async (
  service: TestService,
  story: Story,
  branch: {
    readonly walletId: WalletId
    readonly simSlot: 'SIM1' | 'SIM2'
    readonly mark: string
    readonly digits: string
    readonly payer: string
  },
): Promise<BranchObjects> => {
  const { walletId, simSlot, mark, digits, payer } = branch
  const { owner, record, report } = story
  const { sql } = service
  await sql('update wallets set name = $2 where id = $1', [walletId, `Wallet ${mark}`])
  let number = 0
  const amount = (): string => `${digits}.${String(++number).padStart(2, '0')}`
  const reference = (): string => `${digits}0000${String(++number).padStart(4, '0')}`
  const pay = async (money: string, ref: string): Promise<string> => {
    await record([report(purchaseText(money, ref, payer), { simSlot })])
    const [row] = await sql('select id from alerts where reference = $1 and wallet_id = $2', [ref, walletId])
    assert.ok(row, `no message with ${ref}`)
    return row[0] as string
  }
  const order = async (money: string, { reference: ref }: { reference?: string } = {}): Promise<string> => {
    const body = { amount: money, wallet: walletId, external_order_id: `order-${mark}-${++number}` }
    const { id } = done(await owner.ask('POST', '/intents/', { body })).body
    if (ref !== undefined) done(await owner.ask('POST', `/intents/${id}/reference/`, { body: { reference: ref } }), 200)
    return id
  }
  const pending = await order(amount())
  const held = await order(amount(), { reference: reference() })
  const paidAmount = amount()
  const paidReference = reference()
  const paid = await order(paidAmount, { reference: paidReference })
  const paidAlert = await pay(paidAmount, paidReference)
  const wrongReference = reference()
  const wrong = await order(amount(), { reference: wrongReference })
  const wrongAlert = await pay(amount(), wrongReference)
  const cancelled = await order(amount())
  done(await owner.ask('POST', `/intents/${cancelled}/cancel/`), 200)
  const unmatched = [
    await pay(amount(), reference()),
    await pay(amount(), reference()),
    await pay(amount(), reference()),
  ]
  done(await owner.ask('POST', `/unmatched/${unmatched[2]}/dismiss/`, { body: { reason: `put aside ${mark}` } }), 200)
  // A payment that fits an order by its amount, so that it is a suggestion.
  const suggested = await order(amount())
  const [suggestedRow] = await sql('select payable from intents where id = $1', [suggested])
  const fitting = await pay((Number(suggestedRow![0]) / 100).toFixed(2), reference())
  const sold = await pay(amount(), reference())
  const [soldRow] = await sql('select amount from alerts where id = $1', [sold])
  done(
    await owner.ask('POST', `/unmatched/${sold}/take-sale/`, {
      body: { amount: (Number(soldRow![0]) / 100).toFixed(2), not_for_order: true, looked: true, note: `note ${mark}` },
    }),
    200,
  )
  const checkout = done(
    await owner.ask('POST', '/checkouts/', {
      body: { amount: amount(), wallets: [walletId], description: `checkout ${mark}`, external_order_id: `co-${mark}` },
    }),
  ).body.id
  const link = done(
    await owner.ask('POST', '/payment-links/', {
      body: { amount: amount(), wallets: [walletId], description: `link ${mark}` },
    }),
  ).body.id
  done(await owner.ask('POST', `/intents/${paid}/voucher/`), 200)
  const worker = await createMember(service, story.accountId, 'cashier')
  const shift = done(await worker.ask('POST', '/shifts/')).body.id
  const [state] = await sql('select status from intents where id = $1', [paid])
  assert.equal(
    state![0],
    'VERIFIED',
    JSON.stringify(await sql('select state, reason, amount, reference, payer from alerts where id = $1', [paidAlert])),
  )
  done(await worker.ask('POST', `/intents/${paid}/hand-over/`), 200)
  const intents = [pending, held, paid, wrong, cancelled, suggested]
  const alerts = [...unmatched, paidAlert, wrongAlert, fitting, sold]
  return {
    walletId,
    ids: {
      '/intents/{id}/': intents,
      '/unmatched/{id}/': alerts,
      '/alerts/{id}/': alerts,
      '/checkouts/{id}/': [checkout],
      '/payment-links/{id}/': [link],
      '/wallets/{id}/': [walletId],
      '/shifts/{id}/': [shift],
    },
    markers: [walletId, mark, payer, `${digits}.`, `${digits}0000`, ...intents, ...alerts, checkout, link],
  }
}
