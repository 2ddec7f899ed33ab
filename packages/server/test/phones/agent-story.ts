/** A test service with phones on which the agent runs, behind a network that the test can cut. */
import assert from 'node:assert/strict'
import { wordingOf, wordings, writeAlert } from '@sanad/agent/wordings'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { type AccountId, type PhoneId, randomId, type WalletId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { agentFiles } from '../../src/http/agent-files.ts'
import { createPhone, regenerateCode } from '../../src/wallets/phones/phone-access.ts'
import { phoneSecrets } from '../../src/wallets/phones/phone-secrets.ts'
import { plantWallet } from '../support/rows/plant-wallet.ts'
import { startFlakyProxy } from '../support/servers/flaky-proxy.ts'
import { openTestService } from '../support/story.ts'
import { termuxPhone } from '../support/termux-phone.ts'

/** The text of a payment into a wallet of Jaib; `count`: the number of payments into this wallet, for its balance. */
const payment = (reference: string, count: number): string =>
  writeAlert(wordingOf('jaib', true)!, {
    amount: 150000n,
    reference,
    balance: BigInt(count) * 150000n,
    payer: '',
    phone: '771234567',
    currency: 'YER',
  })

export const openAgentStory = async () => {
  const service = await openTestService(
    { SANAD_LIMITS: 'off' },
    { more: async (app) => void (await app.register(agentFiles(undefined))) },
  )
  const { db, sql, clock, demo } = service
  const secrets = phoneSecrets(service.masterKey)
  const [[accountId]] = (await sql('select account_id from devices where id = $1', [demo.device.id])) as [[AccountId]]
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)

  let numbers = 770_000_000
  // Counted over all phones, because the same text at two wallets of an account goes to review.
  let references = 70_000_000_000_000
  const addWallet = async (provider: 'jaib' | 'jawali' | 'kuraimi', phoneId: PhoneId): Promise<WalletId> => {
    const id = randomId<WalletId>()
    const settings = {
      name: `${provider} ${numbers}`,
      accountNumber: String(++numbers),
      senderName: wordings.find((wording) => wording.provider === provider)!.sender,
    }
    const providerId = shippedProviderId(provider)
    await plantWallet(db, { id, accountId, providerId, phoneId, ...settings }, clock.now())
    return id
  }

  /** A phone of the account with a wallet of Jaib; the agent is not set up yet. */
  const newPhone = async () => {
    const phone = await termuxPhone()
    const created = await createPhone(db, secrets, accountId, 'Counter', clock.now())
    const wallet = await addWallet('jaib', created.id)
    let count = 0
    return {
      ...phone,
      id: created.id,
      wallet,
      link: `${network.origin}/pair#c=${created.code}`,
      async newLink(): Promise<string> {
        const renewed = await regenerateCode(db, secrets, wholeAccount(accountId), created.id, clock.now())
        return `${network.origin}/pair#c=${renewed!.code}`
      },
      async setup(): Promise<void> {
        const ended = await phone.run('setup', '--no-start', this.link)
        assert.equal(ended.code, 0, ended.out + ended.err)
      },
      /** `many` payment messages arrive on the phone, each with its own reference and balance. */
      pay: (many: number, at?: number) =>
        phone.receive(
          Array.from({ length: many }, () => ({
            sender: 'Jaib',
            text: payment(String(++references), ++count),
            ...(at === undefined ? {} : { at }),
          })),
        ),
    }
  }

  type Row = Readonly<Record<string, string | null>>
  const rowsOf = async (phone: { readonly id: string }): Promise<Row[]> =>
    (await sql('select row_to_json(a) from alerts a where device_id = $1 order by id', [phone.id])).map((row) =>
      JSON.parse(row[0]!),
    )
  return {
    ...service,
    network,
    addWallet,
    newPhone,
    /** The reference of the next payment. */
    nextReference: () => String(references + 1),
    rowsOf,
    /** Without hidden alerts, whose texts are sealed. */
    textsOf: async (phone: { readonly id: string }) =>
      (await rowsOf(phone)).filter(({ state }) => state !== 'hidden').map((row) => row.raw_text),
    healthOf: async (phone: { readonly id: string }) =>
      JSON.parse((await sql('select health from devices where id = $1', [phone.id]))[0]![0]!),
  }
}

export const bodies = (messages: readonly { readonly body: string }[]): string[] => messages.map(({ body }) => body)

/** Waits until the condition is true; fails after `most_ms`. */
export const eventually = async (
  description: string,
  isTrue: () => boolean | Promise<boolean>,
  most_ms = 30_000,
): Promise<void> => {
  const until = performance.now() + most_ms
  while (!(await isTrue())) {
    if (performance.now() >= until)
      throw Object.assign(new Error(`this never happened: ${description}`), { ranOutOfTime: true })
    await new Promise((done) => setTimeout(done, 50))
  }
}
