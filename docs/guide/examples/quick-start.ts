/** One test payment, from the first call to VERIFIED. Node 22.18 or later runs it as it is: `node quick-start.ts` */
import { memoryStore, Sanad } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

// 1. The wallets. The test wallet works like the others, only without money.
const wallets = await sanad.wallets.list({ includeTest: true })
const wallet = wallets.find((one) => one.is_test)
if (wallet === undefined) throw new Error('This account has no test wallet.')

// 2. A payment request for one order. Called again, `start` gives the same one until it has ended.
const store = memoryStore() // In your shop: a table.
const order = { orderId: `TRY-${Date.now()}`, wallet: wallet.id, amount: '1500.00', store }
const { intent } = await sanad.checkout.start(order)
console.log(`Send exactly ${intent.payable_amount} ${intent.currency} to ${wallet.name} (${wallet.account_number}).`)

// 3. The buyer pays and types the number that the wallet showed. Here it is made up.
const reference = `TEST-${Date.now()}`
await sanad.intents.attachReference(intent.id, reference)
console.log('Now pay it, in another terminal, in the folder of Sanad:')
console.log(`  npx --no sanad phone --wallet ${wallet.id} --amount ${intent.payable_amount} --reference ${reference}`)
console.log('Or in the dashboard, with its buttons:')
console.log(`  ${SANAD_URL}/first-payment?intent=${intent.id}`)

// 4. A shop learns of the outcome by a webhook. This program asks until the intent has ended.
const ended = await sanad.intents.wait(intent.id)
console.log(`${ended.external_order_id}: ${ended.status}`)
