/** Made-up answers of the developer API, for the examples of the document. */
import { usualCurrency } from '../currency.ts'
import type { TestPaid } from '../dashboard/money/test-payment.ts'
import type { CallFeed, EventFeed, TriggeredEvent } from '../developer.ts'
import { paymentVerified } from '../merchant/examples.ts'

const next = '019b7cab-4f9a-7000-8000-000000000000'
const eventId = '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f'

export const events: EventFeed = {
  next,
  results: [
    {
      id: eventId,
      event: 'payment.verified',
      created_at: '2026-01-02T06:06:10.250000+03:00',
      is_test: false,
      is_sample: false,
      body: JSON.stringify(paymentVerified),
    },
  ],
}

export const calls: CallFeed = {
  next,
  results: [
    {
      id: '019b7cab-70c1-7a52-9e3f-0a1b2c3d4e5f',
      at: '2026-01-02T06:06:08.737000+03:00',
      client_id: '0123456789abcdef0123456789abcdef',
      method: 'POST',
      path: '/api/v1/merchant/intents/',
      status: 400,
      code: 'required',
      took_ms: 4,
      request_id: 'b7c9d1e3-5f70-4a82-9c14-2d3e4f5a6b7c',
      request_body: '{"amount":"1500.00"}',
      error_body:
        '{"type":"validation_error","errors":[{"code":"required","detail":"This field is required.","attr":"wallet"}]}',
      hint: 'wallet is the id of a wallet, a UUID from GET /api/v1/merchant/wallets/, not its name or its number.',
      ignored: '',
      skipped: 0,
    },
  ],
}

export const triggered: TriggeredEvent = {
  id: eventId,
  event: 'payment.verified',
  results: [
    {
      endpoint: '5d6e7f80-91a2-4b3c-8d4e-5f60718293a4',
      url: 'https://shop.example.com/webhooks/sanad',
      outcome: 'ok',
      status: 200,
      error: '',
    },
  ],
}

export const testPaid: TestPaid = {
  alert: '019b7cab-71d2-7b63-8f40-1b2c3d4e5f60',
  text: `Test payment of 1,500.00 ${usualCurrency}, reference TEST-0001.`,
  reference: 'TEST-0001',
  state: 'matched',
  intent: '019b7cab-6fb0-7941-8d2e-9f8a7b6c5d4e',
}
