/** The past shifts, newest first: of all members for who may see them, else one's own. */
import { Anchor, Button } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Moment } from '../../parts/format/figures.tsx'
import { userName } from '../../parts/format/user-name.ts'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { shiftWords } from '../../words/shifts.ts'

type Shift = Answer<'listShifts'>['results'][number]

export const ShiftList = () => {
  const { t } = useWords(shiftWords)
  const { may } = useMe()
  const list = usePagedList(may('all_shifts.read') ? 'listShifts' : 'listOwnShifts', {
    query: firstPage.shifts,
    kinds: ['shift'],
  })
  const columns: Column<Shift>[] = [
    {
      head: t('field.member'),
      cell: ({ id, by }) => (
        <Anchor component={Link} href={`/shifts/${id}`}>
          <bdi>{userName(by)}</bdi>
        </Anchor>
      ),
    },
    { head: t('shift.started'), cell: ({ started_at }) => <Moment at={started_at} /> },
    {
      head: t('shift.ended'),
      cell: ({ ended_at }) => (ended_at === null ? t('shift.stillOpen') : <Moment at={ended_at} />),
    },
  ]
  return (
    <Page title={t('frame.shifts')}>
      <GrowingList
        list={list}
        empty={
          <Empty
            action={
              may('shifts.write') && (
                <Button component={Link} href="/counter">
                  {t('shift.toCounter')}
                </Button>
              )
            }
          >
            {t('shift.none')}
          </Empty>
        }
      >
        {(rows) => <Rows label={t('frame.shifts')} rows={rows} columns={columns} keyOf={({ id }) => id} />}
      </GrowingList>
    </Page>
  )
}
