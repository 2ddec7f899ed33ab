/**
 * How soon a dead phone without heartbeats is found, and how often a working one is reported as dead, in simulated shops with many
 * seeds. `node bench/phone-silence.ts [seeds]` prints the figures of docs/phone-silence.md, and two more columns.
 */
import { playShop, shopKinds } from '../packages/server/test/support/shop-rhythms.ts'
import { percentile } from './harness/rounds.ts'

const seeds = Number(process.argv[2] ?? 100)
const span = (hours: number): string => (hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} d`)

console.log(`${seeds} seeds of each kind, 30 deaths in each month`)
console.log(
  '| Shop | messages a day | false alarms | alarms without network | found: half within | nine of ten within | latest | not judged |',
)
console.log('|---|---|---|---|---|---|---|---|')
for (const kind of shopKinds) {
  const outcomes = Array.from({ length: seeds }, (_, seed) => playShop(kind, seed + 1, 30))
  const found = outcomes.flatMap(({ found_h }) => found_h)
  const total = (count: (one: (typeof outcomes)[number]) => number): number =>
    outcomes.reduce((all, one) => all + count(one), 0)
  console.log(
    `| ${kind.name} | ${(total(({ messages }) => messages) / seeds / kind.days).toFixed(1)} ` +
      `| ${total(({ falseAlarms }) => falseAlarms)} | ${total(({ offlineAlarms }) => offlineAlarms)} | ${span(percentile(found, 0.5))} | ${span(percentile(found, 0.9))} ` +
      `| ${span(percentile(found, 1))} | ${total(({ notFound }) => notFound)} |`,
  )
}
