/**
 * The introduction of the document, in Markdown: what a developer must know that no single operation describes. A test
 * runs the code in it.
 */
import { collectedCodes } from '../currency.ts'
import { knownErrors } from '../errors.ts'
import * as examples from './examples.ts'

/** Removes the line breaks inside paragraphs: renderers show them, but they only keep this file readable. */
const unwrapped = (markdown: string): string =>
  markdown
    .trim()
    .split(/\n{2,}/)
    .map((block) => (/^(```|\|)/.test(block) ? block : block.replace(/\n(?!- |\d\. |#)/g, ' ')))
    .join('\n\n')

const errorTable = [
  '| Status | Code | Meaning |',
  '|---|---|---|',
  ...knownErrors.map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`),
].join('\n')

/** Checks a webhook. Published to merchants as it is. */
export const signatureCheck = `
import { createHmac, timingSafeEqual } from 'node:crypto'
export const isGenuine = (signature, rawBody, secret, now_s) => {
  const parts = signature.split(',').map((part) => part.split('='))
  const sentAt = parts.find(([name]) => name === 't')?.[1]
  const expected = createHmac('sha256', secret).update(\`\${sentAt}.\`).update(rawBody).digest()
  const matches = ([name, hex]) => {
    const received = Buffer.from(hex ?? '', 'hex')
    return name === 'v1' && received.length === expected.length && timingSafeEqual(received, expected)
  }
  return Math.abs(now_s - Number(sentAt)) <= 300 && parts.some(matches)
}`.trim()

const shell = (...lines: string[]): string => ['```sh', ...lines, '```'].join('\n')

const steps = (base: string): string =>
  shell(
    `BASE_URL=${base}`,
    '# A token, good for an hour',
    `curl -X POST $BASE_URL/token \\`,
    `  -H 'SERVICE-CLIENT-ID: ${examples.clientId}' \\`,
    `  -H 'SERVICE-CLIENT-SECRET: ${examples.clientSecret}'`,
    '# 1. The wallets to collect into',
    `curl $BASE_URL/wallets/ -H "Authorization: Bearer $TOKEN"`,
    '# 2. An intent: show the buyer the account number and payable_amount of the answer',
    `curl -X POST $BASE_URL/intents/ -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' -H 'SERVICE-IDEMPOTENCY-KEY: ${examples.idempotencyKey}' \\`,
    `  -d '${JSON.stringify(examples.createByAmount)}'`,
    '# 4. The reference that the buyer was shown',
    `curl -X PATCH $BASE_URL/intents/${examples.pending.id}/ -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(examples.attach)}'`,
  )

/** Commands need a whole address. If the document has only a path, they show a made-up host. */
const addressOf = (serverUrl: string): string =>
  URL.canParse(serverUrl) ? serverUrl : `https://pay.example.com${serverUrl}`

export const introduction = (serverUrl: string): string =>
  unwrapped(`
Sanad lets your server collect payments into mobile wallets, and verifies each payment automatically. All paths are
relative to \`${serverUrl}\`. Bodies are JSON in UTF-8. This is an API between servers: keep the credentials out of browsers
and apps. New here? The [guide](/docs/guide) leads from a first payment to going live, in Arabic and English; its last page lists the
[changes of the API](/docs/guide/en/api-changelog).

## How it works

1. You fetch the wallets you can collect into.
2. You create a payment intent with the wallet and the exact amount, given directly or computed from order lines.
3. The buyer pays into the wallet. The wallet shows the buyer a transaction reference.
4. You attach that reference to the intent.
5. Sanad matches the payment (wallet, reference and exact amount) against the payment alerts that a monitoring device
reports, sets the status of the intent and tells you with a signed webhook.

${steps(addressOf(serverUrl))}

Webhooks are the way to learn the outcome. Listing and retrieving serve backfill and reconciliation. The \`status\` of
an intent is your source of truth.

## Authentication

Create a client id and a client secret in the dashboard under API keys. The secret is shown once; if it leaks, rotate
the key. Send both as headers to \`POST /token\` and use the token you get as \`Authorization: Bearer <ACCESS_TOKEN>\`
everywhere else. It lasts as many seconds as \`expires_in\` says. A rotated or revoked key stops working within a second
or two, and its tokens with it: on a 401, get a new token once and repeat the call.

## States

| Status | Meaning | Final |
|---|---|---|
| \`PENDING\` | Created; waits for the payment and its reference. | no |
| \`VERIFIED\` | The payment is here: wallet, reference and exact amount match. \`verified_at\`, \`matched_event\` and \`device\` are set. | yes |
| \`WRONG_AMOUNT\` | The reference matches, but more or less was paid. \`paid_amount\` says how much. It is never verified automatically. | yes |
| \`EXPIRED\` | 1 hour passed without verification. | yes |
| \`CANCELLED\` | Cancelled in the dashboard. | yes |

An intent can be verified while the clock of the service is before \`expires_at\`, and shows as \`EXPIRED\` from that
instant on. Money that arrives later is not lost: it goes to the unmatched queue in the dashboard, where a person can
book it. For a new try, create a new intent; the same \`external_order_id\` may be used again. A booking by hand sets
\`manual_override\` and \`collected_manually\`.

## Amounts

Amounts are decimal strings, \`"9500.00"\`: from 0.01, with at most 12 digits before the point and 2 after it, in ${collectedCodes}
only. They are compared and added exactly, never as floating point numbers; do the same on your side. Answers always
have two decimals. \`payable_amount\` is what the buyer must pay. It equals \`base_amount\`, unless the owner has set the wallet to unique
amounts: then it differs by some riyals, so that a payment without a reference can be told apart.

## Times and ids

Times are ISO 8601 with a numeric offset and six fractional digits, \`2026-01-02T06:04:05.678000+03:00\`, in the zone of
the service. Ids are UUIDs in lower case; either case is accepted. Text that is not set is \`""\`; a time, an object or
\`paid_amount\` that is not set is null.

## Idempotency

Networks fail after the work is done. Send \`SERVICE-IDEMPOTENCY-KEY\`, a new UUID for each attempt at an order, with
\`POST /intents/\`, and repeat the request with the same key and body until you have an answer:

- Same key, same body (as JSON: spaces and the order of fields do not matter): the stored 201, byte for byte, with
\`Idempotent-Replayed: true\`.
- Same key, another body: 400 \`idempotency_key_reused\`.
- Two at once: the second waits for the answer of the first; after 10 seconds it gets 409 \`idempotency_in_progress\` with
\`Retry-After: 1\`.
- Errors are not stored: after one, the key is free.
- A replay is the answer as it was then. With one key for the whole order you get the expired intent again after the hour: begin a new
attempt with a new key after \`EXPIRED\` or \`CANCELLED\`, and read the intent for its current status.

A key has 1 to 128 characters, belongs to the account and is kept for 24 hours. \`PATCH\` needs none: sending the same
reference again changes nothing.

## Webhooks

Set up endpoints in the dashboard, for all wallets or for one. Each delivery is a \`POST\` with a JSON body whose
\`event\` names its kind; the kinds are described below. Answer with any 2xx within 15 seconds and do the work
afterwards. Anything else is sent again, for about 3 days; redirects are not followed; 410 disables the endpoint.
Deliveries may repeat and may overtake each other: drop repeats by \`X-Service-Event-Id\`. You can learn of the same payment from the answer
to your \`PATCH\` and by reading the intent: mark the order as paid in one place, by the id of the intent. \`WRONG_AMOUNT\`, \`EXPIRED\` and
\`CANCELLED\` have events too, \`payment.wrong_amount\`, \`payment.expired\` and \`payment.cancelled\`, but only for endpoints that subscribe to
them; otherwise read those ends from the intent.

Check every delivery by \`X-Service-Signature\`, over the raw bytes of the body, before parsing it. In JavaScript, with
the time now in seconds:

\`\`\`js
${signatureCheck}
\`\`\`

To try your check: with the secret \`${examples.signing.secret}\`, this body

\`\`\`json
${JSON.stringify(examples.paymentVerified)}
\`\`\`

is signed

\`\`\`text
X-Service-Signature: ${examples.signing.header}
\`\`\`

## Try it here

Choose “Authorize” and enter the client id and the client secret of a key, such as the one that \`npx --no sanad demo\` prints. Then
“Try it out” on \`POST /token\`: the token that you get is used by the calls after it, also on the pages of the other APIs, and the
examples and commands then contain it, your testing wallet and what you have created. The token is kept until you close this tab. Use a
key of a demo account or the testing wallet: the calls are real.

## Testing

Each account has a testing wallet, listed with \`GET /wallets/?include_test=1\`. Every payment on it sends
\`payment.received\`, with or without an intent. Intents on it do not count towards the quota.

## Limits

Counted per credential, in any minute and in any day. A call too many gets 429 with \`Retry-After\` in seconds; refused
calls do not count.

| Operation | A minute | A day |
|---|---|---|
| \`POST /token\` | 10 | 500 |
| \`POST /intents/\`, \`GET /intents/{id}/\` and \`PATCH /intents/{id}/\` together | 240 | 50,000 |
| \`GET /intents/\` | 60 | 50,000 |
| \`GET /wallets/\` | 240 | 50,000 |

An account may also have a monthly quota of intents: beyond it, creating one is refused with 400 \`quota_exceeded\`. A
body may have 1 MiB, an order 500 lines.

## Errors

Every error has one form: a \`type\`, and \`errors\` with a \`code\` for programs, a \`detail\` for people and \`attr\`, the
field it is about. All wrong fields are listed at once; rules over several fields are checked when each field is
right. The type of a 400 is \`validation_error\`, or \`client_error\` when the body is not JSON; of every other 4xx
\`client_error\`; of a 500 or 503 \`server_error\`. Decide by status and \`code\`.

While you develop, look at two headers, also of answers that succeed. \`X-Service-Hint\` is one sentence that says how to
repair the request: which header, which choices, which format, which path. \`X-Service-Ignored\` names fields and
parameters that were sent and had no effect. Both are also in the log of API calls in the dashboard.

${errorTable}

## Small print

Leaving out the trailing slash of a path makes no difference, and nothing is redirected. \`HEAD\` works as \`GET\`.
Fields we do not know are ignored, and named in \`X-Service-Ignored\`; ignore those you do not know. No CORS headers are sent. The version is part of the
path: \`/api/v1/merchant\` is the only one.
`)
