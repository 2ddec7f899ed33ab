/**
 * Each call of the merchant API as a command and with the SDK. A test runs all of them against the service, in this
 * order. The JavaScript samples share the variable `sanad`, which the sample of the token declares.
 */
import * as examples from './examples.ts'

export type CodeSample = {
  /** The language, as viewers of OpenAPI documents know it. */
  readonly lang: 'Shell' | 'JavaScript'
  readonly label: 'curl' | '@sanad/sdk' | 'sanad'
  readonly source: string
}

export const curl = (...lines: string[]): CodeSample => ({
  lang: 'Shell',
  label: 'curl',
  source: lines.join(' \\\n  '),
})
export const sdk = (...lines: string[]): CodeSample => ({
  lang: 'JavaScript',
  label: '@sanad/sdk',
  source: lines.join('\n'),
})

/** The headers that nearly every command has. */
export const token = `-H "Authorization: Bearer $TOKEN"`
export const json = `-H 'Content-Type: application/json'`

const samples = {
  createToken: [
    curl(
      'curl -X POST $BASE_URL/token',
      `-H "SERVICE-CLIENT-ID: $SANAD_CLIENT_ID"`,
      `-H "SERVICE-CLIENT-SECRET: $SANAD_CLIENT_SECRET"`,
    ),
    sdk(
      "import { env } from 'node:process'",
      "import { Sanad } from '@sanad/sdk'",
      '',
      '// It gets a token before its first call, keeps it for its hour, and renews it.',
      'const sanad = new Sanad({',
      '  baseUrl: env.SANAD_URL,',
      '  clientId: env.SANAD_CLIENT_ID,',
      '  clientSecret: env.SANAD_CLIENT_SECRET,',
      '})',
    ),
  ],
  listWallets: [
    curl(`curl "$BASE_URL/wallets/?include_test=1"`, token),
    sdk('const wallets = await sanad.wallets.list({ includeTest: true })', 'const wallet = wallets[0]'),
  ],
  createIntent: [
    curl(
      'curl -X POST $BASE_URL/intents/',
      token,
      json,
      `-H "SERVICE-IDEMPOTENCY-KEY: $KEY"`,
      `-d '{"wallet": "'$WALLET'", "amount": "1500.00", "external_order_id": "ORDER-1042"}'`,
    ),
    sdk(
      '// A new key for each attempt. Store it with the order before the call.',
      'const idempotencyKey = crypto.randomUUID()',
      'const intent = await sanad.intents.create(',
      "  { wallet: wallet.id, amount: '1500.00', external_order_id: 'ORDER-1042' },",
      '  { idempotencyKey },',
      ')',
    ),
  ],
  listIntents: [
    curl(`curl "$BASE_URL/intents/?status=VERIFIED,WRONG_AMOUNT&page_size=100"`, token),
    sdk(
      "const created_after = new Date('2026-01-01')",
      "for await (const one of sanad.intents.list({ created_after, ordering: 'created_at', page_size: 100 })) {",
      '  console.log(one.external_order_id, one.status)',
      '}',
    ),
  ],
  retrieveIntent: [
    curl('curl $BASE_URL/intents/$INTENT/', token),
    sdk('const { status, paid_amount } = await sanad.intents.retrieve(intent.id)'),
  ],
  attachReference: [
    curl('curl -X PATCH $BASE_URL/intents/$INTENT/', token, json, `-d '${JSON.stringify(examples.attach)}'`),
    sdk(
      `const attached = await sanad.intents.attachReference(intent.id, '${examples.attach.reference}')`,
      "if (attached.status === 'VERIFIED') console.log('The money is here.')",
    ),
  ],
} as const satisfies Readonly<Record<string, readonly CodeSample[]>>

export const codeSamples: Readonly<Record<string, readonly CodeSample[]>> = samples
