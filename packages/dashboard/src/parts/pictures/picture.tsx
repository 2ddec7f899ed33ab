/** A picture with its title, the labels of its series, its table one touch away, and the table as a CSV file. */
import { Button, Group, Title } from '@mantine/core'
import { fileNameOf } from '@sanad/contract/dashboard/file-name'
import { IconDownload, IconTable } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useMe } from '../../frame/session-context.ts'
import { useWords } from '../../words/language.ts'
import { pictureWords } from '../../words/pictures.ts'
import { Quiet } from '../format/quiet.tsx'
import { Columns, Sample } from './columns.tsx'
import type { ColumnsProps } from './columns-props.ts'
import { csvText } from './csv.ts'
import classes from './pictures.module.css'
import { ReaderSteps } from './reader.tsx'

export type PictureProps = Omit<ColumnsProps, 'label'> & {
  readonly title: string
  readonly lead?: ReactNode
  /** What the columns are: days, hours. */
  readonly head: string
  /** The name of the CSV file, without its ending. */
  readonly file: string
  /** Below the picture. */
  readonly children?: ReactNode
  readonly level?: 2 | 3
  /** A picture of nothing but zeros is drawn too: zero is the good news. */
  readonly always?: boolean
  /** What the table and the file show, if it is not what is drawn: names, and a row for each column. */
  readonly table?: { readonly series: readonly string[]; readonly rows: readonly (readonly string[])[] } | undefined
}

export const Picture = (props: PictureProps) => {
  const { title, columns, series, line, level = 3 } = props
  const { t } = useWords(pictureWords)
  const { me } = useMe()
  const [isTable, setTable] = useState(false)
  const table = useId()
  const isEmpty = columns.every(({ values }) => values.every((value) => Number(value) === 0))
  return (
    <section className={`card ${classes.picture}`} aria-label={title}>
      <div className={classes.head}>
        <Title order={level} fz={16} lh="24px">
          {title}
        </Title>
        <Group gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            color="gray"
            className={classes.tool ?? ''}
            aria-label={`${t('picture.table')}: ${title}`}
            aria-expanded={isTable}
            aria-controls={table}
            leftSection={<IconTable size={16} aria-hidden />}
            onClick={() => setTable(!isTable)}
          >
            {t('picture.table')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            className={classes.tool ?? ''}
            aria-label={`CSV: ${title}`}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => save(props, me.wallets?.map(({ name }) => name) ?? null)}
          >
            CSV
          </Button>
        </Group>
      </div>
      {props.lead !== undefined && <Quiet>{props.lead}</Quiet>}
      {(series.length > 1 || line !== undefined) && (
        <ul className={classes.series}>
          {series.map((name, i) => (
            <li key={name}>
              <Sample series={i} />
              <bdi>{name}</bdi>
            </li>
          ))}
          {line !== undefined && (
            <li>
              <Sample series="line" />
              <bdi>{line.name}</bdi>
            </li>
          )}
        </ul>
      )}
      {isEmpty && line === undefined && props.always !== true ? (
        <p className={classes.empty}>{t('picture.empty')}</p>
      ) : (
        <Columns {...props} label={title} />
      )}
      {props.choose !== undefined && <ReaderSteps {...props} label={title} choose={props.choose} />}
      <div id={table} hidden={!isTable} className={classes.scrolled}>
        {isTable && <Table {...props} />}
      </div>
      {props.children}
    </section>
  )
}

/** The names and the rows of the table. */
const tableOf = ({ columns, series, table }: PictureProps) =>
  table ?? { series, rows: columns.map(({ values }) => values) }

const Table = (props: PictureProps) => {
  const { title, head, columns, line, format } = props
  const { series, rows } = tableOf(props)
  return (
    <table className={classes.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {series.map((name) => (
            <th key={name} scope="col">
              <bdi>{name}</bdi>
            </th>
          ))}
          {line !== undefined && <th scope="col">{line.name}</th>}
        </tr>
      </thead>
      <tbody>
        {columns.map(({ key, name }, i) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            {rows[i]!.map((value, s) => (
              <td key={series[s]}>
                <bdi className="figure">{format(value)}</bdi>
              </td>
            ))}
            {line !== undefined && (
              <td>
                <bdi className="figure">{format(line.values[i] ?? '0')}</bdi>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Offers the table as a file. `wallets`: of which it is; null: all. Numbers are exact and without separators, and columns have their keys: dates, hours. */
const save = (props: PictureProps, wallets: readonly string[] | null): void => {
  const { head, columns, line, file } = props
  const table = tableOf(props)
  const rows = [
    [head, ...table.series, ...(line === undefined ? [] : [line.name])],
    ...columns.map(({ key }, i) => [key, ...table.rows[i]!, ...(line === undefined ? [] : [line.values[i] ?? '0'])]),
  ]
  const address = URL.createObjectURL(new Blob([csvText(rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${fileNameOf(file, wallets)}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
