/** The day of all wallets as one table: wallets with their kinds, the total, and who took the money. Printed as a slip. */
import { Anchor, Group, Title } from '@mantine/core'
import { Link, useSearchParams } from 'wouter'
import { type Answer, urlOf } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { userName } from '../../parts/format/user-name.ts'
import { withFilters } from '../../parts/list/url-filters.ts'
import { Empty, Loading, Page } from '../../parts/page/page.tsx'
import { CsvButton, PrintButton } from '../../parts/print/report-buttons.tsx'
import { ScreenOnly, Slip, type SumGroup, SumsTable } from '../../parts/sums/sums-table.tsx'
import { clockTime, dateName } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { dayCloseWords } from '../../words/screens/day-close.ts'
import { DayPicker } from './day-picker.tsx'

type Day = Answer<'showDaySums'>

export const WholeDay = () => {
  const { t } = useWords(dayCloseWords)
  const [params, setParams] = useSearchParams()
  const day = params.get('day') ?? undefined
  const shown = useApi('showDaySums', {
    ...(day === undefined ? {} : { query: { day } }),
    kinds: ['alert', 'intent', 'shift'],
    keep: true,
  })
  return (
    <Page
      title={t('frame.dayClose')}
      actions={
        <ScreenOnly>
          <Group gap="xs">
            <PrintButton />
            <CsvButton href={urlOf('downloadDaySums', { query: { day } })} />
          </Group>
        </ScreenOnly>
      }
    >
      <ScreenOnly>
        <DayPicker
          shown={shown.data}
          choose={(chosen) => setParams((current) => withFilters(current, { day: chosen }))}
        />
      </ScreenOnly>
      {shown.isError && <Problem problem={shown.error} retry={() => void shown.refetch()} />}
      {shown.data === undefined && !shown.isError && <Loading rows={8} />}
      {shown.data !== undefined && <DayTable day={shown.data} />}
    </Page>
  )
}

const DayTable = ({ day }: { day: Day }) => {
  const { t, language } = useWords(dayCloseWords)
  const takerOf = useTaker()
  const wallets: SumGroup[] = [
    ...day.wallets.map(({ wallet, sums }) => ({
      key: `${wallet.id} ${sums.currency}`,
      name: (
        <Anchor component={Link} href={`/day-close?wallet=${wallet.id}&day=${day.day}`}>
          <bdi>{shippedName(wallet.name, t)}</bdi>
        </Anchor>
      ),
      sums,
      head: 'arrived' as const,
    })),
    // With one wallet the total says the same again.
    ...(day.wallets.length === 1
      ? []
      : day.totals.map((sums) => ({
          key: `total ${sums.currency}`,
          name: t('field.total'),
          sums,
          head: 'arrived' as const,
          isTotal: true,
        }))),
  ]
  if (day.wallets.length === 0) return <Empty>{t('day.noMoney')}</Empty>
  return (
    <Slip>
      <Title order={2}>
        <bdi>{dateName(day.day, language)}</bdi>
      </Title>
      {!day.closed && <Quiet>{t('day.open')}</Quiet>}
      <SumsTable label={t('day.ofWallets')} groups={wallets} hasWide />
      {day.shifts.length > 0 && (
        <>
          <Title order={2} mt="md">
            {t('day.takers')}
          </Title>
          <SumsTable label={t('day.takers')} groups={day.shifts.map(takerOf)} hasWide />
        </>
      )}
    </Slip>
  )
}

const useTaker = () => {
  const { t, language } = useWords(dayCloseWords)
  const { zone, may } = useMe()
  return ({ by, shift, sums }: Day['shifts'][number]): SumGroup => {
    const who = <bdi>{userName(by)}</bdi>
    const named =
      shift === null ? (
        <>
          {who} {t('day.noShift')}
        </>
      ) : (
        <>
          {may('all_shifts.read') ? (
            <Anchor component={Link} href={`/shifts/${shift.id}`}>
              {who}
            </Anchor>
          ) : (
            who
          )}{' '}
          <bdi>{clockTime(shift.started_at, language, zone)}</bdi>
        </>
      )
    return {
      key: `${by} ${shift?.id} ${sums.currency}`,
      name: by === '' ? t('day.nobody') : named,
      sums,
      head: 'verified',
    }
  }
}
