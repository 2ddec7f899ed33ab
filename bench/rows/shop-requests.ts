/** The requests of a merchant's server, for the program that sends them at a rate. */
import type { PlannedRequest } from '../harness/paced.ts'
import type { Merchant } from '../harness/service-process.ts'

const api = '/api/v1/merchant/intents/'

export const createRequest = ({ token, demo }: Merchant): PlannedRequest => ({
  method: 'POST',
  path: api,
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'service-idempotency-key': 'key {n}',
  },
  body: JSON.stringify({ wallet: demo.wallets.main, amount: '1500.00', external_order_id: 'order {n}' }),
})

export const listRequest = ({ token }: Merchant): PlannedRequest => ({
  method: 'GET',
  path: api,
  headers: { authorization: `Bearer ${token}` },
})

export const retrieveRequest = ({ token }: Merchant, id: string): PlannedRequest => ({
  method: 'GET',
  path: `${api}${id}/`,
  headers: { authorization: `Bearer ${token}` },
})
