/**
 * Chooses a column of a picture. On a narrow screen a column is thinner than a finger, so the whole picture is one control: a slider. A
 * touch chooses the column below it, arrow keys go to the next one, and two large buttons below the picture correct a touch.
 */
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useWords } from '../../words/language.ts'
import { pictureWords } from '../../words/pictures.ts'
import type { ColumnsProps } from './columns-props.ts'
import { columnAt, keyTarget } from './geometry.ts'
import classes from './pictures.module.css'

type ReaderProps = ColumnsProps & { readonly choose: (key: string) => void }

export const Reader = (props: ReaderProps) => {
  const { columns, series, chosen, choose, format } = props
  const { language } = useWords()
  const { t } = useWords(pictureWords)
  const at = columns.findIndex(({ key }) => key === chosen)
  const go = (to: number | undefined): void => {
    const column = to === undefined ? undefined : columns[to]
    if (column !== undefined && column.key !== chosen) choose(column.key)
  }
  const press = (event: KeyboardEvent): void => {
    const to = keyTarget(event.key, at, columns.length)
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  const touch = (event: MouseEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const column = columns[columnAt(event.clientX - left, width, columns.length)]
    if (column !== undefined) choose(column.key)
  }
  const last = columns.length - 1
  const shown = columns[at < 0 ? last : at]
  const text =
    shown === undefined
      ? ''
      : `${shown.name}: ${shown.values
          .map((value, s) => (series.length > 1 ? `${series[s]} ${format(value)}` : format(value)))
          .join(', ')}`
  return (
    <div
      className={classes.reader}
      role="slider"
      tabIndex={0}
      aria-label={props.label}
      aria-valuemin={1}
      aria-valuemax={columns.length}
      aria-valuenow={(at < 0 ? last : at) + 1}
      aria-valuetext={at < 0 ? t('picture.chooseFirst', { last: text }) : text}
      lang={language}
      onKeyDown={press}
      onClick={touch}
    />
  )
}

/** The chosen column with its neighbours. Time runs from left to right, so these arrows are not mirrored. */
export const ReaderSteps = ({ columns, chosen, choose }: ReaderProps) => {
  const { t } = useWords(pictureWords)
  const at = columns.findIndex(({ key }) => key === chosen)
  const column = columns[at]
  if (column === undefined) return null
  const step = (to: number, name: string, Arrow: typeof IconChevronLeft) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label={name}
      disabled={columns[to] === undefined}
      onClick={() => choose(columns[to]!.key)}
    >
      <Arrow size={20} aria-hidden />
    </ActionIcon>
  )
  return (
    <div className={classes.steps} dir="ltr">
      {step(at - 1, t('picture.before'), IconChevronLeft)}
      <bdi>{column.name}</bdi>
      {step(at + 1, t('picture.after'), IconChevronRight)}
    </div>
  )
}
