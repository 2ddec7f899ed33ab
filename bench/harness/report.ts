/** The results of a run as a table, and whether they meet their bars. */
import type { Measured, Result } from './rounds.ts'

type Figures = Pick<Measured, 'perSecond' | 'p50_ms' | 'p99_ms'>

export type Bar = { readonly least: number } | { readonly most: number }

export type Line = {
  readonly name: string
  readonly connections: number
  readonly result: Result
  /** What the result is compared with. */
  readonly baseline?: { readonly name: string; readonly result: Result }
  /** The ratio of the rates (requests per second), of the median times (`p50`) or of the 99th percentiles (`p99`). */
  readonly ratioOf: 'rate' | 'p50' | 'p99'
  readonly bar?: Bar
}

/** A figure that is not compared with another: `most` or `least` is its bar. */
export type Fact = {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly most?: number
  readonly least?: number
}

export type Section = {
  readonly title: string
  readonly note: string
  readonly lines: readonly Line[]
  readonly facts?: readonly Fact[]
}

export const isFactMet = ({ value, most, least }: Fact): boolean =>
  (most === undefined || value <= most) && (least === undefined || value >= least)

export const factText = (fact: Fact): string => {
  const { name, value, unit, most, least } = fact
  const bound = most !== undefined ? `at most ${most}` : least !== undefined ? `at least ${least}` : undefined
  const bar = bound === undefined ? '' : `, ${bound}: ${isFactMet(fact) ? 'ok' : 'MISSED'}`
  return `${name}: ${value.toFixed(unit === '' ? 2 : value < 1 ? 2 : value < 10 ? 1 : 0)} ${unit}${bar}`
    .replace(' ,', ',')
    .trimEnd()
}

const fields = { rate: 'perSecond', p50: 'p50_ms', p99: 'p99_ms' } as const

const ratioOf = (line: Line, measured: Figures, baseline: Figures): number => {
  const field = fields[line.ratioOf]
  return measured[field] / baseline[field]
}

const ratio = (line: Line): number | undefined => line.baseline && ratioOf(line, line.result, line.baseline.result)

/** The smallest and largest ratio of the single rounds, which shows how much is noise. */
const spread = (line: Line): string => {
  const { baseline } = line
  if (baseline === undefined) return ''
  const ratios = line.result.rounds.map((round, i) => ratioOf(line, round, baseline.result.rounds[i]!))
  return `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`
}

export const isMet = (line: Line): boolean => {
  const value = ratio(line)
  if (line.bar === undefined || value === undefined) return true
  return 'least' in line.bar ? value >= line.bar.least : value <= line.bar.most
}

/** The names of figures that are none: nothing was measured, or a division by nothing. */
export const withoutFigure = ({ title, lines, facts = [] }: Section): string[] => [
  ...(lines.length + facts.length === 0 ? [title] : []),
  ...lines
    .filter((line) => !Number.isFinite(line.result[fields[line.ratioOf]]) || !Number.isFinite(ratio(line) ?? 0))
    .map(({ name }) => name),
  ...facts.filter(({ value }) => !Number.isFinite(value)).map(({ name }) => name),
]

const rate = (value: number): string => Math.round(value).toLocaleString('en')
const ms = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(value < 10 ? 2 : 1))
const barText = (bar: Bar | undefined): string =>
  bar === undefined ? '' : 'least' in bar ? `>= ${bar.least.toFixed(2)}` : `<= ${bar.most.toFixed(2)}`

const processors = ({ result: { shares } }: Line): string[] =>
  shares === undefined
    ? ['', '', '', '']
    : [shares.sanad, shares.postgres, shares.load, shares.others].map((share) => share.toFixed(2))

const heads = [
  '',
  'conn',
  'req/s',
  'p50 ms',
  'p99 ms',
  'baseline',
  '',
  'ratio',
  'rounds',
  'bar',
  '',
  'cpu: sanad',
  'postgres',
  'load',
  'others',
]

const cells = (line: Line): string[] => {
  const value = ratio(line)
  const baseline = line.baseline
  const baselineFigure =
    baseline && (line.ratioOf === 'rate' ? rate(baseline.result.perSecond) : ms(baseline.result[fields[line.ratioOf]]))
  return [
    line.name,
    String(line.connections),
    rate(line.result.perSecond),
    ms(line.result.p50_ms),
    ms(line.result.p99_ms),
    baseline?.name ?? '',
    baselineFigure ?? '',
    value === undefined ? '' : value.toFixed(2),
    spread(line),
    barText(line.bar),
    line.bar === undefined ? '' : isMet(line) ? 'ok' : 'MISSED',
    ...processors(line),
  ]
}

/** One line as text, for the output during the run. */
export const lineText = (line: Line): string => {
  const value = ratio(line)
  const { baseline } = line
  const against = baseline === undefined || value === undefined ? '' : `, ${value.toFixed(2)} of ${baseline.name}`
  const verdict = line.bar === undefined ? '' : isMet(line) ? ', ok' : ', MISSED'
  return `  ${rate(line.result.perSecond)}/s, p50 ${ms(line.result.p50_ms)} ms${against}${verdict}`
}

const leftAligned = new Set([0, 5, 10])

export const sectionText = ({ title, note, lines, facts = [] }: Section): string => {
  const more = facts.length === 0 ? '' : `\n${facts.map(factText).join('\n')}\n`
  if (lines.length === 0) return `\n${title}\n${note}\n${more}`
  const rows = [heads, ...lines.map(cells)]
  const widths = heads.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const text = rows.map((row) =>
    row
      .map((cell, i) => (leftAligned.has(i) ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
  return `\n${title}\n${note}\n\n${text.join('\n')}\n${more}`
}
