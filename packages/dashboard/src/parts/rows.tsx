/**
 * A table that becomes cards on a narrow screen. Each column says its head and how a row fills it; the first column leads
 * a card. Of a row that opens something the first cell is a link; the rest of the row follows a click as well.
 */
import { Table, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly end?: boolean
  /** A column of buttons: its head is for those who listen. */
  readonly quiet?: boolean
  /** Nothing to say of this row: its card leaves the line out. */
  readonly blank?: (row: Row) => boolean
  /** Never broken over two lines: codes, times. */
  readonly whole?: boolean
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean
}

export const useNarrow = (): boolean => useMediaQuery('(max-width: 48em)', window.innerWidth <= 768) ?? false

type Given<Row> = {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** What the table lists, for those who listen. */
  readonly label: string
  readonly linkOf?: (row: Row) => string
}

export const Rows = <Row,>(given: Given<Row>) => (useNarrow() ? <Cards {...given} /> : <Wide {...given} />)

const Wide = <Row,>({ rows, columns, keyOf, label, linkOf }: Given<Row>) => {
  const [, go] = useLocation()
  return (
    <div className="card" style={{ overflowX: 'auto' }}>
      <Table aria-label={label} highlightOnHover={linkOf !== undefined} verticalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr h={36}>
            {columns.map(({ head, end, quiet }) => (
              <Table.Th key={head} c="dimmed" fw={400} ta={end ? 'end' : 'start'}>
                {quiet ? <VisuallyHidden>{head}</VisuallyHidden> : head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={keyOf(row)}
              h="var(--sanad-row)"
              {...(linkOf === undefined ? {} : { style: { cursor: 'pointer' }, onClick: () => go(linkOf(row)) })}
            >
              {columns.map(({ head, cell, end, whole }, at) => (
                <Table.Td key={head} ta={end ? 'end' : 'start'} className={whole ? 'whole' : undefined}>
                  {linkOf === undefined || at > 0 ? (
                    cell(row)
                  ) : (
                    <Link href={linkOf(row)} className="plain" onClick={(event) => event.stopPropagation()}>
                      {cell(row)}
                    </Link>
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

const Cards = <Row,>({ rows, columns, keyOf, label, linkOf }: Given<Row>) => {
  const [first, ...others] = columns.filter(({ wideOnly }) => !wideOnly)
  const inside = (row: Row) => (
    <div style={{ padding: 16, display: 'grid', gap: 4, textAlign: 'start' }}>
      <div style={{ fontWeight: 600, fontSize: 16, overflowWrap: 'anywhere' }}>{first?.cell(row)}</div>
      {others
        .filter(({ blank }) => !blank?.(row))
        .map(({ head, cell, quiet }) =>
          quiet ? (
            <div key={head} style={{ marginTop: 8 }}>
              {cell(row)}
            </div>
          ) : (
            <div key={head} style={{ display: 'flex', justifyContent: 'space-between', gap: 16, minHeight: 22 }}>
              <span style={{ color: 'var(--sanad-quiet)' }}>{head}</span>
              <span style={{ textAlign: 'end', overflowWrap: 'anywhere' }}>{cell(row)}</span>
            </div>
          ),
        )}
    </div>
  )
  return (
    <ul aria-label={label} style={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 8 }}>
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
