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

say('\nThe sender among bad receivers')
const zoo = await faultsRun({ points: [...faultPoints, ...faultPoints], eventsEach: 2, say })
say(`faults: ${listed(zoo.faults)}; receivers: ${zoo.receivers}; events: ${zoo.events}`)
say(`deliveries: committed ${zoo.committed}, delivered ${zoo.delivered}, delivered twice ${zoo.deliveredTwice}`)
say(`terminal: ${listed(zoo.terminal)}; a name that turned inside was refused ${zoo.turnedAway} times`)
say(`lost: ${zoo.lost.length}`)
for (const line of zoo.lost.slice(0, 20)) say(line)

if (crash.lost.length + zoo.lost.length > 0) process.exitCode = 1
