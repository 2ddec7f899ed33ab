/** The geometry of pictures: columns, stacks, levels over columns, and which labels fit. Pure. */

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The top of the axis: the smallest round number (such as 2.5 times a power of ten) that is not below `most`. */
export const topOf = (most: number): number => {
  if (!(most > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return steps.map((times) => times * power).find((top) => top >= most * (1 - 1e-12))!
}

export type Span = { readonly x: number; readonly width: number }

/** Columns side by side over the whole width. The gap becomes smaller where columns would be thinner than the gap. */
export const columnSpans = (count: number, width: number, gap = 4): Span[] => {
  const step = width / Math.max(count, 1)
  const between = Math.min(gap, step / 2)
  return Array.from({ length: count }, (_, i) => ({ x: i * step + between / 2, width: step - between }))
}

export type Block = { readonly y: number; readonly height: number }

/** The blocks of one column, from the bottom up. What is above zero is at least one pixel high, and nothing leaves the picture. */
export const stackOf = (values: readonly number[], top: number, height: number): Block[] => {
  let below = 0
  return values.map((value) => {
    const from = (below / top) * height
    below += Math.max(0, value)
    const to = Math.min(height, (below / top) * height)
    const shown = value > 0 ? Math.max(1, to - from) : 0
    return { y: Math.max(0, height - from - shown), height: shown }
  })
}

/** A level over each column whose value is above zero. */
export const levelsOf = (values: readonly number[], top: number, width: number, height: number): string => {
  const step = width / Math.max(values.length, 1)
  const y = (value: number): number => Math.max(1, height - (value / top) * height)
  return values
    .map((value, i) => (value > 0 ? `M${round(i * step)} ${round(y(value))}H${round((i + 1) * step)}` : ''))
    .join('')
}

const round = (n: number): number => Math.round(n * 100) / 100

/** Which columns get a label, so that labels have room: every second, third ... counted back from the last. */
export const labelledColumns = (count: number, width: number, room = 44): number[] => {
  const every = Math.max(1, Math.ceil((room * count) / Math.max(width, 1)))
  return Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % every === 0)
}

/** The column at a distance from the left; what lies beside the picture belongs to the first or the last column. */
export const columnAt = (x: number, width: number, count: number): number =>
  Math.min(Math.max(Math.floor((x / Math.max(width, 1)) * count), 0), count - 1)

/** The column that a key chooses, when `at` is chosen (-1: none). Undefined: the key does nothing. */
export const keyTarget = (key: string, at: number, count: number): number | undefined => {
  const last = count - 1
  const to = new Map([
    ['ArrowLeft', at < 0 ? last : at - 1],
    ['ArrowDown', at < 0 ? last : at - 1],
    ['ArrowRight', at < 0 ? last : at + 1],
    ['ArrowUp', at < 0 ? last : at + 1],
    ['Home', 0],
    ['End', last],
  ]).get(key)
  return to === undefined ? undefined : Math.min(Math.max(to, 0), last)
}
