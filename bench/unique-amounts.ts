/**
 * `node bench/unique-amounts.ts [--table sizes,rests,...|all] [--seed N] [--seeds N] [--days N] [--late 0.03] ...`: simulates shops
 * with unique amounts by the service's rules, and prints how many payments the service verifies, how many need a member, and how
 * many are matched with the wrong order. The tables of docs/decisions/0043 are its output. Every field of a `Scenario`
 * (bench/amounts/scenario.ts) that is a number is an option; times are in hours (`--window 1`, `--rests 96/24,24/6`: first 96 unpaid
 * and 24 paid, then 24 and 6). `--near taken`: without the rule for amounts near those of open orders. Ctrl-C stops it within five
 * simulated days; the rows that are finished are printed already.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hour_ms } from '../packages/server/src/core/duration.ts'
import type { Rest } from '../packages/server/src/intents/payable/unique-amounts.ts'
import { type Scenario, usual } from './amounts/scenario.ts'
import { type Figures, noFigures, simulateShop } from './amounts/simulate-shop.ts'

type Change = Partial<Scenario>

const numberFields = {
  'per-day': 'perDay',
  prices: 'prices',
  strangers: 'strangers',
  'odd-strangers': 'oddStrangers',
  abandon: 'abandon',
  round: 'round',
  late: 'late',
  twice: 'twice',
  split: 'split',
  typos: 'typos',
  dishonest: 'dishonest',
  claimed: 'claimed',
  shown: 'shown',
  'other-payer': 'otherPayer',
  most: 'most',
  avoided: 'avoided',
} as const satisfies Record<string, keyof Scenario>
const hours = { window: 'window_ms' } as const

/** Ends the program with a sentence: an option is invalid. */
const exitWith = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}

const names = [
  'table',
  'seed',
  'seeds',
  'days',
  'direction',
  'rests',
  'near',
  ...Object.keys(numberFields),
  ...Object.keys(hours),
]
const optionTypes = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
const readOptions = (): Readonly<Record<string, string | undefined>> => {
  try {
    return parseArgs({ options: optionTypes }).values
  } catch (fault) {
    return exitWith((fault as Error).message)
  }
}
const options = readOptions()

const numberIn = (name: string): number | undefined => {
  const text = options[name]
  if (text === undefined) return undefined
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number
  return exitWith(`--${name} ${text}: a number of zero or more is expected`)
}

const restOf = (unpaid: number, paid: number): Rest => ({ unpaid_ms: unpaid * hour_ms, paid_ms: paid * hour_ms })

/** `96/24,24/6`: the hours since the amount's last unpaid intent ended, and since its last paid one; the preferred rest first. */
const restsIn = (text: string): Rest[] =>
  text.split(',').map((item) => {
    const [unpaid = Number.NaN, paid = Number.NaN, ...more] = item.split('/').map((part) => Number(part || Number.NaN))
    if (more.length > 0 || !(unpaid >= 0 && paid >= 0))
      return exitWith(`--rests ${text}: hours like 96/24,24/6 are expected`)
    return restOf(unpaid, paid)
  })

/** What the options change in every scenario. */
const chosenChanges = (): Change => {
  const change: Record<string, unknown> = {}
  if (options.rests !== undefined) change.rests = restsIn(options.rests)
  if (options.near !== undefined) {
    if (options.near !== 'taken') return exitWith(`--near ${options.near}: taken is expected`)
    change.spaced = false
  }
  for (const [name, field] of Object.entries(numberFields)) {
    const number = numberIn(name)
    if (number !== undefined) change[field] = number
  }
  for (const [name, field] of Object.entries(hours)) {
    const number = numberIn(name)
    if (number !== undefined) change[field] = number * hour_ms
  }
  const { direction = usual.direction } = options
  if (direction !== 'more' && direction !== 'less')
    return exitWith(`--direction ${direction}: more or less is expected`)
  return { ...change, direction } as Change
}
const changes = chosenChanges()

const seed = numberIn('seed') ?? 1
const seeds = Math.max(1, numberIn('seeds') ?? 1)
/** Larger shops for fewer days, so that each row takes about as long. */
const daysOf = (perDay: number): number => numberIn('days') ?? (perDay <= 500 ? 365 : perDay <= 2_000 ? 60 : 20)

let stopped = false
process.once('SIGINT', () => {
  stopped = true
})

const { stderr, stdout } = process
const progress = (text: string): void => {
  if (stderr.isTTY) stderr.write(`\r\x1b[K${text}`)
}

const add = (all: Figures, item: Figures): void => {
  for (const key of ['falseBy', 'reasons'] as const)
    for (const [name, count] of Object.entries(item[key])) {
      const counts = all[key] as Record<string, number>
      counts[name] = (counts[name] ?? 0) + count
    }
  for (const key of Object.keys(item) as (keyof Figures)[])
    if (typeof item[key] === 'number') (all as Record<string, unknown>)[key] = (all[key] as number) + item[key]
}

/** The sum over all seeds; undefined: it was stopped. */
const simulate = async (name: string, change: Change): Promise<Figures | undefined> => {
  const scenario = { ...usual, ...change, ...changes }
  const total = noFigures()
  const days = daysOf(scenario.perDay)
  for (let n = 0; n < seeds; n++) {
    const run = simulateShop({ ...scenario, days, seed: seed + n })
    for (let step = run.next(); ; step = run.next()) {
      if (step.done) {
        add(total, step.value)
        break
      }
      if (step.value % 5 !== 0) continue
      progress(`${name}: seed ${seed + n}, day ${step.value} of ${days}`)
      await nextTurn()
      if (stopped) return undefined
    }
  }
  progress('')
  return total
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`)
const causes = (by: Readonly<Record<string, number>>): string => {
  const found = Object.entries(by).map(([kind, count]) => `${count} ${kind}`)
  return found.length === 0 ? '0' : found.join(', ')
}

const columns: readonly (readonly [string, (figures: Figures) => string])[] = [
  ['intents', ({ intents }) => intents.toLocaleString('en')],
  ['verified by the service', ({ exactVerified, exact }) => percent(exactVerified, exact)],
  ['no free amount', ({ noFree, intents }) => percent(noFree, intents)],
  ['addition, mean', ({ additions, intents, noFree }) => (additions / Math.max(1, intents - noFree)).toFixed(1)],
  ['for a member', ({ forMember, credits }) => percent(forMember, credits)],
  ['of these one touch', ({ oneTouch, forMember }) => percent(oneTouch, forMember)],
  ['false', ({ falseBy }) => causes(falseBy)],
  ['goods without money', ({ gained }) => String(gained)],
]

const print = (line: string): void => void stdout.write(`${line}\n`)

const table = async (title: string, first: string, rows: readonly (readonly [string, Change])[]): Promise<void> => {
  print(`\n${title}\n`)
  print(`| ${first} | ${columns.map(([name]) => name).join(' | ')} |`)
  print(`|---|${columns.map(() => '---').join('|')}|`)
  for (const [name, change] of rows) {
    if (stopped) return
    const figures = await simulate(`${title}, ${name}`, change)
    if (figures !== undefined) print(`| ${name} | ${columns.map(([, cell]) => cell(figures)).join(' | ')} |`)
  }
}

/** `preferred`: the longer rests of the service are tried first. */
const restRows = (perDay: number, preferred: boolean): (readonly [string, Change])[] =>
  [6, 12, 24, 48, 72].flatMap((unpaid) =>
    [0, 2, 6, 12, 24, 48].map((paid) => {
      const shortest = restOf(unpaid, paid)
      const longer = usual.rests.filter(
        ({ unpaid_ms, paid_ms }) => unpaid_ms > shortest.unpaid_ms && paid_ms >= shortest.paid_ms,
      )
      return [`${unpaid} h, ${paid} h`, { perDay, rests: preferred ? [...longer, shortest] : [shortest] }] as const
    }),
  )

/** The rules that are compared. */
const rules: readonly (readonly [string, readonly Rest[]])[] = [
  ['24 h, 2 h', [restOf(24, 2)]],
  ['24 h, 6 h', [restOf(24, 6)]],
  ['24 h, 12 h', [restOf(24, 12)]],
  ['48 h, 6 h', [restOf(48, 6)]],
  ['first 96 h, 24 h', [restOf(96, 24), restOf(24, 6)]],
  ['first 144 h, 36 h', [restOf(144, 36), restOf(24, 6)]],
  ['five rests (chosen)', usual.rests],
]
const sizes = [10, 100, 500, 2_000, 10_000]
const each = <T>(list: readonly T[], row: (item: T) => readonly [string, Change]) => list.map(row)

const tables: Readonly<Record<string, () => Promise<void>>> = {
  sizes: () =>
    table(
      'Honest buyers, by intents a day',
      'a day',
      each(sizes, (perDay) => [`${perDay}`, { perDay }]),
    ),
  rests: async () => {
    for (const perDay of [500, 2_000])
      for (const preferred of [false, true])
        await table(
          `Rests, ${perDay} a day${preferred ? ', longer ones first' : ''}`,
          'unpaid, paid',
          restRows(perDay, preferred),
        )
  },
  rules: async () => {
    for (const perDay of [500, 2_000])
      await table(
        `Rules, ${perDay} a day`,
        'rests',
        rules.map(([name, rests]) => [name, { perDay, rests }] as const),
      )
  },
  most: () =>
    table(
      'The largest addition, 500 a day',
      'most',
      each([9, 29, 49, 99], (most) => [`${most}`, { most }]),
    ),
  avoided: () =>
    table(
      'Multiples avoided, 500 a day',
      'of',
      each([100, 50, 10, 5], (avoided) => [`${avoided}`, { avoided }]),
    ),
  prices: () =>
    table(
      'Shops with few prices',
      'prices, a day',
      [3, 10].flatMap((prices) => each([100, 500], (perDay) => [`${prices}, ${perDay}`, { prices, perDay }])),
    ),
  mistakes: () =>
    table('Strangers who pay any amount, payments in two parts, and typing errors, 500 a day', 'shares', [
      ['no such', {}],
      ['1 % of strangers pay any amount', { oddStrangers: 0.01 }],
      ['10 % of strangers', { oddStrangers: 0.1 }],
      ['10 % of strangers, payer claimed for 9 of 10', { oddStrangers: 0.1, claimed: 0.9 }],
      ['1 % of buyers pay in two parts', { split: 0.01 }],
      ['1 % in two parts, payer claimed for 9 of 10', { split: 0.01, claimed: 0.9 }],
      ['1 % of buyers mistype', { typos: 0.01 }],
      ['1 % mistype, payer claimed for 9 of 10', { typos: 0.01, claimed: 0.9 }],
    ]),
  payers: () =>
    table(
      'Claimed payers',
      'a day, claimed',
      [2_000, 10_000].flatMap((perDay) =>
        each([0, 0.5, 0.9], (claimed) => [`${perDay}, ${100 * claimed} %`, { perDay, claimed }]),
      ),
    ),
  dishonest: () =>
    table(
      'One buyer in a hundred is dishonest',
      'a day, claimed',
      [100, 500, 2_000].flatMap((perDay) =>
        each([0, 0.9], (claimed) => [`${perDay}, ${100 * claimed} %`, { perDay, claimed, dishonest: 0.01 }]),
      ),
    ),
}

const { table: chosen = 'sizes' } = options
const printed = chosen === 'all' ? Object.keys(tables) : chosen.split(',')
for (const name of printed)
  if (!Object.hasOwn(tables, name))
    exitWith(`--table ${name}: one of ${Object.keys(tables).join(', ')} or all is expected`)
print(
  `Seeds ${seed} to ${seed + seeds - 1}. Verified by the service: share of the payments that came in time with the exact amount.`,
)
for (const name of printed) if (!stopped) await tables[name]!()
if (stopped) print('\nStopped.')
