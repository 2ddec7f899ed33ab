/**
 * `npm run faults [kills] [seed] [-- --only PART]`: fault injection under load. Nothing may be lost in any part.
 *
 * - `crash`: the service and its PostgreSQL killed with -9, twenty times.
 * - `sender`: the webhook sender killed at each point of a delivery, and PostgreSQL restarted and killed, with
 * misbehaving receivers.
 * - `silent`: all connections to PostgreSQL, and all but one, dropped silently by the network; PostgreSQL frozen for a
 * minute.
 * - `failover`: the primary of two PostgreSQL killed with -9, its replica promoted.
 *
 * After `silent` and `failover` it must work again within 15 s. `--only` takes several parts with commas;
 * `--postgres-bin` names the programs of another PostgreSQL for these two, such as /usr/lib/postgresql/15/bin.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { crashRun } from '../packages/server/test/crashes/crash-run.ts'
import { failoverRun, type RecoveryReport, silentRun } from '../packages/server/test/crashes/recovery-run.ts'
import { faultPoints, faultsRun } from '../packages/server/test/crashes/webhook-faults-run.ts'

const parts = ['crash', 'sender', 'silent', 'failover'] as const
type Part = (typeof parts)[number]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, 'postgres-bin': { type: 'string' } },
})
const selected = (values.only?.split(',') ?? parts) as Part[]
const unknown = selected.find((part) => !parts.includes(part))
if (unknown !== undefined) {
  process.stderr.write(`--only ${unknown}: there are ${parts.join(', ')}.\n`)
  process.exit(1)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, n]) => `${what} ${n}`)
    .join(', ')

const crash = async (): Promise<number> => {
  const kills = Number(positionals[0] ?? 20)
  const seed = Number(positionals[1] ?? randomInt(2 ** 31))
  print(`The service under load: kills ${kills}, seed ${seed}`)
  const report = await crashRun({ kills, seed, drain: true, say: print })
  print(`killed: ${countsText(report.kills)}`)
  const { created, attached, reported } = report.answered
  print(`answered: ${created} created, ${attached} attached, ${reported} reported`)
  print(`verified: ${report.verified}; calls without an answer: ${report.unanswered}`)
  print(`events: ${countsText(report.events)}`)
  return printLost(report.lost)
}

const printLost = (lost: readonly string[]): number => {
  print(`lost: ${lost.length}`)
  for (const line of lost.slice(0, 20)) print(line)
  return lost.length
}

const sender = async (): Promise<number> => {
  let lost = 0
  // With circuit breakers bad receivers are called one at a time; without, eight calls to each are in flight when the
  // nodes die.
  for (const [setup, breaker_failures] of [
    ['with breakers', 5],
    ['without breakers', 1_000],
  ] as const) {
    print(`\nThe sender with misbehaving receivers, ${setup}`)
    const report = await faultsRun({ points: faultPoints, eventsEach: 1, breaker_failures, say: print })
    print(`faults: ${countsText(report.faults)}; receivers: ${report.receivers}; events: ${report.events}`)
    print(
      `deliveries: committed ${report.committed}, delivered ${report.delivered}, delivered twice ${report.deliveredTwice}`,
    )
    print(
      `terminal: ${countsText(report.terminal)}; a DNS name that changed to a private address was refused ${report.turnedAway} times`,
    )
    lost += printLost(report.lost)
  }
  return lost
}

const workingAgainMost_ms = 15_000
const readyzMost_ms = 2_000

const recovery = (heading: string, run: typeof silentRun) => async (): Promise<number> => {
  print(`\n${heading}`)
  const reports: readonly RecoveryReport[] = await run({ say: print, bin: values['postgres-bin'] })
  let failures = 0
  for (const { fault, lost, workingAgain_ms, longestReadyz_ms } of reports) {
    for (const line of lost.slice(0, 20)) print(line)
    if (workingAgain_ms > workingAgainMost_ms)
      print(`MISSED: ${fault}: working again within ${workingAgainMost_ms / 1000} s`)
    if (longestReadyz_ms > readyzMost_ms) print(`MISSED: ${fault}: /readyz within ${readyzMost_ms / 1000} s`)
    if (workingAgain_ms > workingAgainMost_ms || longestReadyz_ms > readyzMost_ms) failures++
    failures += lost.length
  }
  return failures
}

const run: Readonly<Record<Part, () => Promise<number>>> = {
  crash,
  sender,
  silent: recovery('Silent connections and a frozen PostgreSQL', silentRun),
  failover: recovery('Failover between two PostgreSQL', failoverRun),
}

let failures = 0
for (const part of parts) if (selected.includes(part)) failures += await run[part]()
if (failures > 0) process.exitCode = 1
