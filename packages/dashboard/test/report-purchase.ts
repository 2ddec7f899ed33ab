/** A shop's phone reports the wallet's SMS about a purchase: the buyer's money has arrived. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { phone } from '../../server/test/support/phone.ts'
import { purchaseText } from '../../server/test/support/sms-texts.ts'

export const purchaseReporter =
  (shopPhone: Pick<ReturnType<typeof phone>, 'alerts'>, now: () => number) =>
  async (amount: string, reference: string, payer?: string): Promise<void> => {
    const text = purchaseText(amount, reference, payer)
    const received_at = Math.floor(now() / 1000)
    const report = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
    const answer = await shopPhone.alerts([report])
    assert.equal(answer.status, 200, answer.text)
  }
