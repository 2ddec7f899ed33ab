/** A list that grows: what is still coming, what went wrong, nothing yet, the rows, and the way to more of them. */
import { Button, Center } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import { Trouble } from '../form/problem.tsx'
import { Coming } from '../page/page.tsx'

export const Growing = <Row,>(given: {
  list: {
    readonly rows: readonly Row[] | undefined
    readonly problem: Error | null
    readonly more: (() => void) | undefined
    readonly busy: boolean
    readonly again: () => void
  }
  empty: ReactNode
  /** Draws its children also where there are no rows: they have something else to show. */
  keep?: boolean
  children: (rows: readonly Row[]) => ReactNode
}) => {
  const { t } = useWords()
  const { rows, problem, more, busy, again } = given.list
  if (problem !== null && rows === undefined) return <Trouble problem={problem} again={again} />
  if (rows === undefined) return <Coming />
  return (
    <>
      {rows.length === 0 && more === undefined && !given.keep ? given.empty : given.children(rows)}
      {more !== undefined && (
        <Center>
          <Button variant="default" onClick={more} loading={busy}>
            {t('part.more')}
          </Button>
        </Center>
      )}
    </>
  )
}
