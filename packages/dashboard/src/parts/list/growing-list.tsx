/** A list with a "show more" button: loading, error, empty, or the rows. */
import { Button, Center } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import { Problem } from '../form/problem.tsx'
import { Loading } from '../page/page.tsx'

export const GrowingList = <Row,>(props: {
  list: {
    readonly rows: readonly Row[] | undefined
    readonly problem: Error | null
    readonly more: (() => void) | undefined
    readonly busy: boolean
    readonly retry: () => void
  }
  empty: ReactNode
  /** Renders its children even without rows, because they show something else too. */
  keep?: boolean
  children: (rows: readonly Row[]) => ReactNode
}) => {
  const { t } = useWords()
  const { rows, problem, more, busy, retry } = props.list
  if (problem !== null && rows === undefined) return <Problem problem={problem} retry={retry} />
  if (rows === undefined) return <Loading />
  return (
    <>
      {rows.length === 0 && more === undefined && !props.keep ? props.empty : props.children(rows)}
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
