/** Creates a checkout as a merchant's server does, and returns the address of the buyer's page. */
import assert from 'node:assert/strict'
import { askAt } from '../../../server/test/support/story.ts'

export const checkoutCreator =
  (origin: string, token: string) =>
  async (body: Record<string, unknown> = {}): Promise<string> => {
    const answer = await askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', {
      token,
      body: { amount: '1500.00', external_order_id: 'A-1042', ...body },
    })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.url
  }
