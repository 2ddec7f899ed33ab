/**
 * `npm run faults [kills] [seed]`: the service and its PostgreSQL killed with -9 under load, twenty times; then the webhook
 * sender killed at each point of a delivery, and PostgreSQL restarted and killed, with a zoo of bad receivers. Lost must be 0 in both.
 */
import { randomInt } from 'node:crypto'
import { crashRun } from '../packages/server/test/crash.ts'
import { faultPoints, faultsRun } from '../packages/server/test/webhook-faults.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, n]) => `${what} ${n}`)
    .join(', ')

const kills = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? randomInt(2 ** 31))
say(`The service under load: kills ${kills}, seed ${seed}`)
const crash = await crashRun({ kills, seed, drain: true, say })
say(`killed: ${listed(crash.kills)}`)
const { created, attached, reported } = crash.answered
say(`answered: ${created} created, ${attached} attached, ${reported} reported`)
say(`verified: ${crash.verified}; calls without an answer: ${crash.unanswered}`)
say(`events: ${listed(crash.events)}`)
say(`lost: ${crash.lost.length}`)
for (const line of crash.lost.slice(0, 20)) say(line)

let lost = crash.lost.length
// With breakers bad receivers are called one at a time; without, eight calls of each are under way when the nodes die.
for (const [how, breaker_failures] of [
  ['with breakers', 5],
  ['without breakers', 1_000],
] as const) {
  say(`\nThe sender among bad receivers, ${how}`)
  const zoo = await faultsRun({ points: faultPoints, eventsEach: 1, breaker_failures, say })
  say(`faults: ${listed(zoo.faults)}; receivers: ${zoo.receivers}; events: ${zoo.events}`)
  say(`deliveries: committed ${zoo.committed}, delivered ${zoo.delivered}, delivered twice ${zoo.deliveredTwice}`)
  say(`terminal: ${listed(zoo.terminal)}; a name that turned inside was refused ${zoo.turnedAway} times`)
  say(`lost: ${zoo.lost.length}`)
  for (const line of zoo.lost.slice(0, 20)) say(line)
  lost += zoo.lost.length
}

if (lost > 0) process.exitCode = 1
