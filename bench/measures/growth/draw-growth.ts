/** Draws how times have grown, as SVG: a line for each call, on a logarithmic axis. Pure. */
import type { Compared } from './alternate.ts'

export type Drawn = Compared & {
  readonly group: 'merchant' | 'writes' | 'dashboard' | 'jobs'
  readonly name: string
  /** Why it may grow more than others. */
  readonly reason: string | undefined
}

const titles: Readonly<Record<Drawn['group'], string>> = {
  merchant: "The merchant's server reads",
  writes: 'Writes, and the page of a buyer',
  dashboard: 'The dashboard reads',
  jobs: 'Background jobs',
}

const [width, left, right, top, row] = [960, 330, 690, 96, 17] as const
const [least, most] = [0.5, 128] as const

/** Where a ratio is on the axis; what is beyond its ends is drawn at the end. */
const placeOf = (ratio: number): number => {
  const shown = Math.min(most, Math.max(least, ratio))
  return left + ((right - left) * Math.log2(shown / least)) / Math.log2(most / least)
}

const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const short = (name: string): string => (name.length <= 50 ? name : `${name.slice(0, 49)}…`)
const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const whole = (count: number): string => count.toLocaleString('en')

export const drawGrowth = (drawn: readonly Drawn[], [few, many]: readonly [number, number], bar: number): string => {
  const lines: string[] = []
  let y = top
  for (const group of Object.keys(titles) as Drawn['group'][]) {
    const own = drawn.filter((one) => one.group === group)
    if (own.length === 0) continue
    y += row * 1.6
    lines.push(`<text class="head" x="24" y="${y.toFixed(1)}">${text(titles[group])}</text>`)
    for (const one of own) {
      y += row
      const [p50, p99] = [one.many.p50_ms / one.few.p50_ms, one.many.p99_ms / one.few.p99_ms]
      const [middle, base] = [(y - 4).toFixed(1), y.toFixed(1)]
      const kind = one.reason === undefined ? 'dot' : 'dot why'
      lines.push(
        `<text class="name" x="${left - 12}" y="${base}">${text(short(one.name))}</text>`,
        `<path class="span" d="M${placeOf(p50).toFixed(1)} ${middle}H${placeOf(p99).toFixed(1)}"/>`,
        `<circle class="ring" cx="${placeOf(p99).toFixed(1)}" cy="${middle}" r="3.2"/>`,
        `<circle class="${kind}" cx="${placeOf(p50).toFixed(1)}" cy="${middle}" r="4"/>`,
        `<text class="ms" x="${right + 130}" y="${base}">${ms(one.few.p50_ms)} → ${ms(one.many.p50_ms)}</text>`,
        `<text class="ms" x="${width - 24}" y="${base}">${ms(one.few.p99_ms)} → ${ms(one.many.p99_ms)}</text>`,
      )
    }
  }
  const height = Math.ceil(y + 40)
  const ticks = [0.5, 1, 2, 4, 8, 16, 32, 64, 128].map((at) => {
    const x = placeOf(at).toFixed(1)
    return `<path class="grid" d="M${x} ${top - 8}V${height - 32}"/><text class="tick" x="${x}" y="${top - 14}">${at}</text>`
  })
  const limit = placeOf(bar).toFixed(1)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">
  <title>How times grow from ${whole(few)} to ${whole(many)} intents</title>
  <desc>For each call and background job the ratio of its time with ${whole(many)} intents to its time with ${whole(few)}, median and 99th percentile, and both times in milliseconds.</desc>
  <style>
    .head { font-size: 14px; font-weight: 600; fill: #1f2933 }
    .title { font-size: 17px; font-weight: 600; fill: #1f2933 }
    .name { font-size: 12px; fill: #1f2933; text-anchor: end }
    .ms { font-size: 11.5px; fill: #52606d; text-anchor: end }
    .tick { font-size: 11.5px; fill: #52606d; text-anchor: middle }
    .note { font-size: 12px; fill: #52606d }
    .grid { stroke: #dde3e8; stroke-width: 1 }
    .limit { stroke: #b42318; stroke-width: 1.4; stroke-dasharray: 4 3 }
    .span { stroke: #9aa5b1; stroke-width: 1.4 }
    .ring { fill: #f7f9fa; stroke: #52606d; stroke-width: 1.4 }
    .dot { fill: #146c43 }
    .why { fill: #b54708 }
  </style>
  <rect width="${width}" height="${height}" fill="#f7f9fa" rx="12"/>
  <text class="title" x="24" y="32">Times with ${whole(many)} intents, as ratios to ${whole(few)}</text>
  <circle class="dot" cx="30" cy="52" r="4"/><text class="note" x="40" y="56">median</text>
  <circle class="dot why" cx="100" cy="52" r="4"/><text class="note" x="110" y="56">median, explained in the text</text>
  <circle class="ring" cx="316" cy="52" r="3.2"/><text class="note" x="326" y="56">99th percentile</text>
  <path class="limit" d="M430 52H450"/><text class="note" x="456" y="56">the bar, ${bar}</text>
  <text class="ms" x="${right + 130}" y="${top - 14}">median, ms</text>
  <text class="ms" x="${width - 24}" y="${top - 14}">99th, ms</text>
  ${ticks.join('\n  ')}
  <path class="limit" d="M${limit} ${top - 8}V${height - 32}"/>
  ${lines.join('\n  ')}
</svg>
`
}
