/**
 * The metrics of several processes as those of one. Counters and histograms of processes that have ended go on counting: a sum that
 * fell would look like a restart, and everything before it would count again. Pure.
 */

import type { Figure, FigureSet } from '../http/metrics.ts'

/** Only these are sums over time. */
const isCounted = ({ type }: Figure): boolean => type === 'counter' || type === 'histogram'

type Series = Figure['values'][number]

const keyOf = ({ metricName, labels }: Series): string =>
  JSON.stringify([metricName ?? '', Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])

const addSeries = (a: readonly Series[], b: readonly Series[]): Series[] => {
  const sums = new Map(a.map((series) => [keyOf(series), series]))
  for (const series of b) {
    const key = keyOf(series)
    const known = sums.get(key)
    sums.set(key, known === undefined ? series : { ...known, value: known.value + series.value })
  }
  return [...sums.values()]
}

/** What processes that ended have counted, with those of one more. */
export const addEnded = (ended: FigureSet, figures: FigureSet): FigureSet => {
  const sums = new Map(ended.map((figure) => [figure.name, figure]))
  for (const figure of figures.filter(isCounted)) {
    const known = sums.get(figure.name)
    sums.set(figure.name, {
      ...figure,
      values: known === undefined ? figure.values : addSeries(known.values, figure.values),
    })
  }
  return [...sums.values()]
}

/** A gauge that the parent itself adds. */
export const gaugeOf = (name: string, help: string, values: Figure['values']): Figure => ({
  name,
  help,
  type: 'gauge',
  aggregator: 'sum',
  values,
})
