/** Compares the shop's orders with Sanad, in both directions, and adds up what arrived for each order. Run it once a day. */
import { type Intent, Sanad, SanadError } from '@sanad/sdk'

const { SANAD_URL = '', SANAD_CLIENT_ID = '', SANAD_CLIENT_SECRET = '' } = process.env
const sanad = new Sanad({ baseUrl: SANAD_URL, clientId: SANAD_CLIENT_ID, clientSecret: SANAD_CLIENT_SECRET })

/** An order in the shop's database. `paidBy`: the id of the intent that paid it (of several parts: any); null: it is not paid. */
export type Order = { readonly amount: string; readonly paidBy: string | null }

/** `orders`: the shop's orders since then, by their numbers. */
export const reconcile = async (since: Date, orders: ReadonlyMap<string, Order>): Promise<string[]> => {
  const recent = new Map<string, Intent[]>()
  for await (const intent of sanad.intents.list({ created_after: since, ordering: 'created_at', page_size: 100 })) {
    const order = intent.external_order_id
    if (intent.wallet.is_test || order === '') continue // Test money is no money, and a sale without a number is no order of the shop.
    const others = recent.get(order)
    if (others === undefined) recent.set(order, [intent])
    else others.push(intent)
  }
  const findings: string[] = []
  for (const number of new Set([...recent.keys(), ...orders.keys()])) {
    const order = orders.get(number)
    const known = recent.get(number) ?? []
    if (isRight(order, known)) continue
    // A part may be older than `since`: before anything is said, all intents of the order are read.
    findings.push(...(await findingsOf(number, order, await intentsOf(number))))
  }
  return findings
}

/** Paid in both with the right amount, or in neither. */
const isRight = (order: Order | undefined, intents: readonly Intent[]): boolean => {
  if (unbooked(intents).length > 0) return false
  const paid = intents.filter(isPaid)
  if (order === undefined || order.paidBy === null) return paid.length === 0
  return paid.some(({ id }) => id === order.paidBy) && sumOf(paid) === minor(order.amount)
}

const findingsOf = async (number: string, order: Order | undefined, intents: readonly Intent[]): Promise<string[]> => {
  const findings: string[] = []
  const paid = intents.filter(isPaid)
  const by = paid.map(({ id }) => id).join(' and ')
  for (const { paid_amount, payable_amount } of unbooked(intents))
    findings.push(`${number}: ${paid_amount} arrived instead of ${payable_amount}`)
  if (paid.length > 0 && (order === undefined || order.paidBy === null))
    findings.push(`${number}: paid by ${by}, and the shop does not know`)
  if (order === undefined) return findings
  const [sum, amount] = [sumOf(paid), minor(order.amount)]
  // An order may be paid in parts, so several intents can be right: only their sum tells.
  if (paid.length > 0 && sum !== amount)
    findings.push(
      `${number}: too ${sum > amount ? 'much' : 'little'}: ${decimal(sum)} for ${decimal(amount)}, by ${by}`,
    )
  if (order.paidBy !== null && !paid.some(({ id }) => id === order.paidBy)) {
    const why = whyUnpaid(number, await findIntent(order.paidBy))
    findings.push(`${number}: paid in the shop, not in Sanad: ${order.paidBy} ${why}`)
  }
  return findings
}

const isPaid = ({ status }: Intent): boolean => status === 'VERIFIED'

/** The wrong amounts about which nobody has decided. One that was accepted has become an intent of its own, of what arrived. */
const unbooked = (intents: readonly Intent[]): Intent[] => {
  const bookings = intents.filter((intent) => isPaid(intent) && intent.manual_override)
  return intents.filter(({ status, wallet, paid_amount }) => {
    if (status !== 'WRONG_AMOUNT') return false
    const n = bookings.findIndex((one) => one.wallet.id === wallet.id && one.payable_amount === paid_amount)
    if (n !== -1) bookings.splice(n, 1)
    return n === -1
  })
}

const sumOf = (paid: readonly Intent[]): bigint => paid.reduce((sum, intent) => sum + arrived(intent), 0n)

/** What an intent counts for. A wallet with unique amounts asks for some riyals more than the order; a user can book less than was asked. */
const arrived = ({ base_amount, payable_amount, matched_event }: Intent): bigint =>
  minor(matched_event === null || matched_event.amount === payable_amount ? base_amount : matched_event.amount)

/** An amount as a whole number of its hundredths: 1500.00 is 150000n. Never as a floating-point number. */
const minor = (amount: string): bigint => {
  const [whole, part = ''] = amount.split('.')
  return BigInt(`${whole}${part.padEnd(2, '0')}`)
}

const decimal = (hundredths: bigint): string => {
  const digits = String(hundredths).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const whyUnpaid = (order: string, intent: Intent | undefined): string => {
  if (intent === undefined) return 'is no intent of this account'
  if (intent.external_order_id !== order) return `is an intent of the order "${intent.external_order_id}"`
  return intent.wallet.is_test ? 'is on the test wallet' : `is ${intent.status}`
}

const intentsOf = async (order: string): Promise<Intent[]> => {
  const found: Intent[] = []
  const filter = { external_order_id: order, ordering: 'created_at', page_size: 100 } as const
  for await (const intent of sanad.intents.list(filter)) if (!intent.wallet.is_test) found.push(intent)
  return found
}

const findIntent = async (id: string): Promise<Intent | undefined> => {
  try {
    return await sanad.intents.retrieve(id)
  } catch (fault) {
    if (fault instanceof SanadError && fault.status === 404) return undefined
    throw fault
  }
}
