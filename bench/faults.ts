/** `npm run faults [kills] [seed]`: the service and its PostgreSQL killed with -9 under load, twenty times; lost must be 0. */
import { randomInt } from 'node:crypto'
import { crashRun } from '../packages/server/test/crash.ts'

const kills = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? randomInt(2 ** 31))
process.stdout.write(`kills ${kills}, seed ${seed}\n`)
const report = await crashRun({ kills, seed, drain: true, say: (line) => process.stdout.write(`${line}\n`) })
process.stdout.write(
  [
    `killed: ${Object.entries(report.kills)
      .map(([point, times]) => `${point} ${times}`)
      .join(', ')}`,
    `answered: ${report.answered.created} created, ${report.answered.attached} attached, ${report.answered.reported} reported`,
    `verified: ${report.verified}; calls without an answer: ${report.unanswered}`,
    `events: ${Object.entries(report.events)
      .map(([what, n]) => `${what} ${n}`)
      .join(', ')}`,
    `lost: ${report.lost.length}`,
    ...report.lost.slice(0, 20),
    '',
  ].join('\n'),
)
if (report.lost.length > 0) process.exitCode = 1
