/**
 * Columns over time, drawn by hand as SVG: stacked by series, with an optional line over them. Time runs from left to right in every
 * language. Series differ by a pattern and not by colour alone. If a column can be chosen, the whole is one control (reader.tsx).
 */
import { useId } from 'react'
import type { ColumnsProps } from './columns-props.ts'
import { columnSpans, labelledColumns, levelsOf, stackOf, topOf } from './geometry.ts'
import classes from './pictures.module.css'
import { Reader } from './reader.tsx'
import { useWidth } from './use-width.ts'

const height = 132
/** So few columns have their numbers above them. */
const mostLabelled = 10
/** Only for heights: the numbers themselves are shown as text. */
const sizes = (values: readonly string[]): number[] => values.map(Number)
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

export const Columns = (props: ColumnsProps) => {
  const { columns, series, line, choose } = props
  const [ref, width] = useWidth<HTMLDivElement>()
  const pattern = useId()
  const totals = columns.map(({ values }) => sum(sizes(values)))
  const most = Math.max(0, ...totals, ...sizes(line?.values ?? []))
  const top = topOf(most)
  const spans = columnSpans(columns.length, width)
  const labelled = labelledColumns(columns.length, width)
  return (
    <div className={classes.plot} dir="ltr">
      <div className={classes.axis} aria-hidden>
        <bdi>{props.axis(top)}</bdi>
        <bdi>{props.axis(top / 2)}</bdi>
        <bdi>{props.axis(0)}</bdi>
      </div>
      <div ref={ref} className={classes.area}>
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-label={props.label} aria-hidden={choose !== undefined}>
            <Patterns id={pattern} />
            {[0, 0.5, 1].map((share) => (
              <line key={share} x1={0} x2={width} y1={share * height} y2={share * height} className={classes.grid} />
            ))}
            {columns.map(({ key, name, values }, i) => (
              <g key={key} opacity={props.chosen === undefined || props.chosen === key ? 1 : 0.45}>
                <title>{`${name}: ${values.map((value, s) => (series.length > 1 ? `${series[s]} ${props.format(value)}` : props.format(value))).join(' · ')}`}</title>
                <rect {...spans[i]!} y={0} height={height} fill="transparent" />
                {stackOf(sizes(values), top, height).map(
                  (block, s) =>
                    block.height > 0 && (
                      // biome-ignore lint/suspicious/noArrayIndexKey: series have a fixed order
                      <rect key={s} {...spans[i]!} {...block} className={classes.block} fill={fillOf(s, pattern)} />
                    ),
                )}
              </g>
            ))}
            {line !== undefined && (
              <path d={levelsOf(sizes(line.values), top, width, height)} className={classes.line} />
            )}
          </svg>
        )}
        {columns.length <= mostLabelled && series.length === 1 && line === undefined && width > 0 && (
          <div className={classes.counts} aria-hidden>
            {totals.map((total, i) => (
              <bdi key={columns[i]!.key} style={{ bottom: `${(total / top) * height}px` }}>
                {total > 0 && props.axis(total)}
              </bdi>
            ))}
          </div>
        )}
        {choose !== undefined && width > 0 && <Reader {...props} choose={choose} />}
        <div className={classes.labels} aria-hidden>
          {columns.map(({ key, label }, i) => (
            <span key={key}>{labelled.includes(i) && <bdi>{label}</bdi>}</span>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Solid, stripes, dots, and an outline: four series differ without colour. */
export const mostSeries = 4
const fillOf = (series: number, id: string): string =>
  series === 0 ? 'var(--sanad-accent)' : `url(#${id}-${Math.min(series, mostSeries - 1)})`

const Patterns = ({ id }: { id: string }) => (
  <defs>
    <pattern id={`${id}-1`} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={6} height={6} fill="var(--sanad-card)" />
      <rect width={3} height={6} fill="var(--sanad-accent)" />
    </pattern>
    <pattern id={`${id}-2`} width={5} height={5} patternUnits="userSpaceOnUse">
      <rect width={5} height={5} fill="var(--sanad-card)" />
      <circle cx={2.5} cy={2.5} r={1.4} fill="var(--sanad-accent)" />
    </pattern>
    <pattern id={`${id}-3`} width={4} height={4} patternUnits="userSpaceOnUse">
      <rect width={4} height={4} fill="var(--sanad-card)" />
    </pattern>
  </defs>
)

/** A sample of a series, or of the line, for its label. */
export const Sample = ({ series }: { series: number | 'line' }) => {
  const pattern = useId()
  return (
    <svg width={16} height={12} aria-hidden style={{ flexShrink: 0 }}>
      <Patterns id={pattern} />
      {series === 'line' ? (
        <path d="M0 6H16" className={classes.line} />
      ) : (
        <rect x={0.5} y={0.5} width={15} height={11} className={classes.block} fill={fillOf(series, pattern)} />
      )}
    </svg>
  )
}
