/**
 * `node bench/amount-creates.ts [--seconds N] [--rounds N]`: how fast intents are created on a wallet with unique amounts, as a
 * share of the rate on the same wallet without them, measured in turn at 4 and 32 connections. Three states of the wallet: no
 * amount is in use, half of the additions of each order amount are in use, and all additions of one order amount are in use. The
 * figures of docs/decisions/0043 are its output.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findTools } from './harness/find-tools.ts'
import { type Figures, type Load, runLoad } from './harness/load.ts'
import { cleanUp, temporaryFolder } from './harness/processes.ts'
import { startService } from './harness/service-process.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, rounds: { type: 'string', default: '2' } },
})
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]
if (!(seconds >= 1 && rounds >= 1)) {
  process.stderr.write('--seconds and --rounds: numbers of 1 or more are expected\n')
  process.exit(2)
}

const path = '/api/v1/merchant/intents/'
/** Caches of wallets are at most this old. */
const cache_ms = 2_000
const halfOfAdditions = 45

process.once('SIGINT', () => void cleanUp().then(() => process.exit(130)))

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const middle = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

const measure = async (): Promise<void> => {
  const { wrk } = await findTools()
  const folder = await temporaryFolder()
  const { db, merchant, origin } = await startService(join(folder, 'data'))
  const target = { origin, token: merchant.token }
  const wallet = merchant.demo.wallets.main
  const body = (amount: number): string =>
    JSON.stringify({ wallet, amount: `${amount}.00`, external_order_id: 'ORDER', notes: '' })
  const loadOf = (amounts: readonly number[]): Load => ({ kind: 'create', lines: [path, ...amounts.map(body)] })
  const setUniqueAmounts = async (setting: 'off' | 'more'): Promise<void> => {
    const text = 'update wallets set unique_amounts = $2, version = version + 1 where id = $1'
    await db.run({ text, values: [wallet, setting] })
    await delay(cache_ms)
  }
  const run = (load: Load, connections: number, time_s = seconds): Promise<Figures> =>
    runLoad({ wrk, folder }, target, load, connections, time_s)

  /** Order amounts 1,000 apart share no additions. */
  let lastAmount = 1_000_000
  const newAmounts = (many: number): number[] => Array.from({ length: many }, () => (lastAmount += 1_000))
  const create = async (amount: number): Promise<void> => {
    const headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: body(amount) })
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  }
  const amountsInUse = async (amounts: readonly number[], times: number): Promise<readonly number[]> => {
    await setUniqueAmounts('more')
    for (const amount of amounts) await Promise.all(Array.from({ length: times }, () => create(amount)))
    return amounts
  }
  const states: readonly (readonly [string, () => Promise<readonly number[]>])[] = [
    ['no amount is in use', async () => newAmounts(20_000)],
    ['half of the additions are in use', () => amountsInUse(newAmounts(100), halfOfAdditions)],
    ['all additions are in use', () => amountsInUse(newAmounts(1), 100)],
  ]

  await run(loadOf(newAmounts(20_000)), 32, 5)
  print('| the wallet | connections | without, a second | with, a second | share | with: median, 99 % |')
  print('|---|---|---|---|---|---|')
  for (const [name, prepare] of states)
    for (const connections of [4, 32]) {
      const without: Figures[] = []
      const withAmounts: Figures[] = []
      for (let round = 0; round < rounds; round++) {
        const load = loadOf(await prepare())
        await setUniqueAmounts('off')
        without.push(await run(load, connections))
        await setUniqueAmounts('more')
        withAmounts.push(await run(load, connections))
      }
      const rate = (all: readonly Figures[]): number => middle(all.map(({ perSecond }) => perSecond))
      const [off, on] = [rate(without), rate(withAmounts)]
      const p50 = middle(withAmounts.map(({ p50_ms }) => p50_ms)).toFixed(1)
      const p99 = middle(withAmounts.map(({ p99_ms }) => p99_ms)).toFixed(1)
      const share = (on / off).toFixed(2)
      print(`| ${name} | ${connections} | ${off.toFixed(0)} | ${on.toFixed(0)} | ${share} | ${p50} ms, ${p99} ms |`)
    }
}

try {
  await measure()
} finally {
  await cleanUp()
}
