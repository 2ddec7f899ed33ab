/**
 * The real service for the tests of the plugins: its own process, PostgreSQL and demo shop, a buyer who uses the page
 * without scripts, and a phone that reports the wallet's message. Time is real: the clock of a shop engine cannot be moved.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanUp, temporaryFolder } from '../bench/harness/processes.ts'
import { startService } from '../bench/harness/service-process.ts'
import { openDatabase } from '../packages/server/src/postgres/connection/database.ts'
import { urlOf } from '../packages/server/src/postgres/embedded/embedded.ts'
import { adminRole } from '../packages/server/src/postgres/embedded/embedded-roles.ts'
import { phone } from '../packages/server/test/support/phone.ts'
import { purchaseText } from '../packages/server/test/support/sms-texts.ts'

export const openSanad = async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'data'))
  const service = await startService(join(folder, 'data'), { SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const { origin } = service
  const { demo } = service.merchant
  const shopPhone = phone(origin, Date.now, demo.device)

  const dashboard = async (path: string, body: object) => {
    const answer = await fetch(`${origin}/api/v1/dashboard${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.dashboard.user_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }

  const sendForm = async (url: string, fields: Record<string, string>) => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
    if (answer.status !== 303) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 2000)}`)
  }

  const newReference = (): string => String(randomInt(100_000_000_000, 999_999_999_999))

  /** The wallet's message reaches the shop's phone. */
  const report = async (amount: string, reference: string): Promise<void> => {
    const text = purchaseText(amount, reference)
    const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }
    const answer = await shopPhone.alerts([{ ...alert, received_at: Math.floor(Date.now() / 1000) }])
    if (answer.status !== 200) throw new Error(`the alert was refused: ${answer.status} ${answer.text}`)
  }

  return {
    origin,
    demo,
    dashboard,
    report,
    newReference,
    /** The API key, as options of the SDK and the plugins. */
    key: { baseUrl: origin, clientId: demo.client_id, clientSecret: demo.client_secret },
    /** Adds an endpoint. Returns its secret. */
    addEndpoint: async (url: string): Promise<string> => {
      const kinds = [
        'payment.verified',
        'payment.wrong_amount',
        'payment.expired',
        'checkout.completed',
        'checkout.expired',
      ]
      // Ten minutes after the sign-in the service asks for the password again.
      await dashboard('/session/proof/', { password: demo.dashboard.password })
      return (await dashboard('/webhooks/', { url, kinds })).secret
    },
    /** A buyer opens the page, chooses the wallet, sends the reference and pays. Throws if the page does not take the reference. */
    async payOnPage(page: string, amount: string, reference = newReference()): Promise<string> {
      await sendForm(`${page}/wallet/`, { wallet: demo.wallets.main })
      await sendForm(`${page}/reference/`, { reference })
      // Every form is answered with a redirect to the page: it shows the reference that it has taken.
      const shown = await (await fetch(page)).text()
      if (!shown.includes(reference)) throw new Error(`${page} did not take the reference ${reference}`)
      await report(amount, reference)
      return reference
    },
    payRest: async (page: string, amount: string, reference = newReference()): Promise<void> => {
      await sendForm(`${page}/rest/`, {})
      await sendForm(`${page}/reference/`, { reference })
      await report(amount, reference)
    },
    /** Makes a checkout and its intents expire now. */
    async expire(checkout: string): Promise<void> {
      const { accountId } = service.merchant
      const text = `with ended as (update checkouts set expires_at = now() where account_id = $1 and id = $2 returning id)
        update intents i set expires_at = now() from checkout_intents l, ended
         where l.account_id = $1 and l.checkout_id = ended.id and i.account_id = l.account_id and i.id = l.intent_id`
      await service.db.run({ text, values: [accountId, checkout] })
    },
    /** A new, empty database for a shop in the service's own PostgreSQL, with the role that may do everything there. */
    async newDatabase(name: string): Promise<{ host: string; username: string; database: string }> {
      const url = urlOf(service.socketDir, adminRole)
      const admin = openDatabase({
        url,
        connections: 1,
        application: 'plugin test',
        statement_timeout_ms: 60_000,
        onFault: () => {},
      })
      await admin.run({ text: `create database ${name}`, values: [] })
      await admin.close()
      return { host: service.socketDir, username: adminRole, database: name }
    },
    /** Repeats `check` until it returns a value. */
    async until<T>(expectation: string, check: () => Promise<T | undefined | false>): Promise<T> {
      for (let attempts = 300; attempts > 0; attempts--) {
        const found = await check()
        if (found) return found
        await delay(100)
      }
      throw new Error(`not within 30 seconds: ${expectation}`)
    },
    close: cleanUp,
  }
}
