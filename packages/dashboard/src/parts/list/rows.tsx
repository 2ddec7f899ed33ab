/**
 * A table that becomes cards on a narrow screen. The first column is the title of a card. If rows have links, the first
 * cell is the link, and a click on the rest of the row follows it too.
 */
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useIncrementalRows } from './incremental-rows.ts'
import { useIsNarrow } from './is-narrow.ts'
import classes from './rows.module.css'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly end?: boolean
  /** A column of buttons: the table has its head only for screen readers, and a card has no head for it. */
  readonly quiet?: boolean
  /** The row has no value for this column: its card leaves the line out. */
  readonly blank?: (row: Row) => boolean
  /** Never wrapped in the table: codes, times. */
  readonly whole?: boolean
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean
}

type Props<Row> = {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** What the table lists, for screen readers. */
  readonly label: string
  readonly linkOf?: (row: Row) => string
  /** Few rows with much to say: cards on a wide screen too, two side by side. */
  readonly asCards?: boolean
}

export const Rows = <Row,>(props: Props<Row>) => {
  const rows = useIncrementalRows(props.rows)
  return useIsNarrow() || props.asCards === true ? <Cards {...props} rows={rows} /> : <Wide {...props} rows={rows} />
}

const Wide = <Row,>({ rows, columns, keyOf, label, linkOf }: Props<Row>) => {
  const [, go] = useLocation()
  return (
    <div className="card" style={{ overflowX: 'auto' }}>
      <table aria-label={label} className={classes.table}>
        <thead>
          <tr>
            {columns.map(({ head, end, quiet }) => (
              <th key={head} data-end={end || undefined}>
                {quiet ? <VisuallyHidden>{head}</VisuallyHidden> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              {...(linkOf === undefined ? {} : { className: classes.opens, onClick: () => go(linkOf(row)) })}
            >
              {columns.map(({ head, cell, end, whole }, at) => (
                <td key={head} data-end={end || undefined} className={whole ? 'whole' : undefined}>
                  {linkOf === undefined || at > 0 ? (
                    cell(row)
                  ) : (
                    <Link href={linkOf(row)} className="plain" onClick={(event) => event.stopPropagation()}>
                      {cell(row)}
                    </Link>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Cards = <Row,>({ rows, columns, keyOf, label, linkOf, asCards }: Props<Row>) => {
  const [first, ...others] = columns.filter(({ wideOnly }) => !wideOnly)
  const inside = (row: Row) => (
    <div className={classes.inside}>
      <div className={classes.lead}>{first?.cell(row)}</div>
      {others
        .filter(({ blank }) => !blank?.(row))
        .map(({ head, cell, quiet }) =>
          quiet ? (
            <div key={head} className={classes.actions}>
              {cell(row)}
            </div>
          ) : (
            <div key={head} className={classes.line}>
              <span>{head}</span>
              <span>{cell(row)}</span>
            </div>
          ),
        )}
    </div>
  )
  return (
    <ul aria-label={label} className={classes.cards} data-pairs={asCards || undefined}>
      {rows.map((row) => (
        <li key={keyOf(row)} className="card">
          {linkOf === undefined ? (
            inside(row)
          ) : (
            <Link href={linkOf(row)} className="plain">
              {inside(row)}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
