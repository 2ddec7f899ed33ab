/** The report of a shift on one narrow page, which is also printed as a slip of 58 mm. */
import { Anchor, Button, List, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { type Answer, urlOf } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Clock, Moment, Money } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { userName } from '../../parts/format/user-name.ts'
import { Loading, Page } from '../../parts/page/page.tsx'
import { CsvButton, PrintButton } from '../../parts/print/report-buttons.tsx'
import { ScreenOnly, Slip, type SumGroup, SumsTable } from '../../parts/sums/sums-table.tsx'
import { useWords } from '../../words/language.ts'
import { shiftWords } from '../../words/shifts.ts'

type Report = Answer<'showShift'>

export const OneShift = ({ id }: { id: string }) => {
  const { t } = useWords(shiftWords)
  const shown = useApi('showShift', { path: { id }, kinds: ['shift', 'alert', 'intent'] })
  if (shown.isError) return <Problem problem={shown.error} retry={() => void shown.refetch()} />
  if (shown.data === undefined) return <Loading rows={8} />
  const { shift } = shown.data
  return (
    <Page
      title={t('shift.title', { who: userName(shift.by) })}
      actions={
        <ScreenOnly>
          <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
            <EndButton shift={shift} />
            <PrintButton />
            <CsvButton href={urlOf('downloadShift', { path: { id } })} />
          </div>
        </ScreenOnly>
      }
    >
      <Slip isNarrow>
        <ReportBody report={shown.data} />
      </Slip>
    </Page>
  )
}

const EndButton = ({ shift }: { shift: Report['shift'] }) => {
  const { t } = useWords(shiftWords)
  const { may } = useMe()
  const end = useApiMutation(shift.own ? 'endShift' : 'endShiftOfMember', ['shift', 'intent'])
  if (shift.ended_at !== null || !may(shift.own ? 'shifts.write' : 'all_shifts.end')) return null
  return (
    <>
      <Button
        mih={44}
        loading={end.isPending}
        onClick={() =>
          void end.mutateAsync({ path: { id: shift.id } }).then(
            () => {},
            () => {},
          )
        }
      >
        {shift.own ? t('shift.end') : t('shift.endFor', { who: userName(shift.by) })}
      </Button>
      {end.error !== null && <Problem problem={end.error} />}
    </>
  )
}

const ReportBody = ({ report }: { report: Report }) => {
  const { t } = useWords(shiftWords)
  const { shift, wallets, totals, earlier, nobody, not_handed_over: open } = report
  const who = userName(shift.by)
  const taken: SumGroup[] = [
    ...wallets.map(({ wallet, sums }) => ({
      key: `${wallet.id} ${sums.currency}`,
      name: <bdi>{shippedName(wallet.name, t)}</bdi>,
      sums,
      head: 'verified' as const,
    })),
    // With one wallet the total says the same again.
    ...(wallets.length === 1
      ? []
      : totals.map((sums) => ({
          key: `total ${sums.currency}`,
          name: t('field.total'),
          sums,
          head: 'verified' as const,
          isTotal: true,
        }))),
  ]
  return (
    <Stack gap="md">
      <Times shift={shift} />
      <Title order={2}>{t('shift.took', { who })}</Title>
      {taken.length === 0 ? (
        <Text c="dimmed">{t('shift.tookNothing')}</Text>
      ) : (
        <SumsTable label={t('shift.took', { who })} groups={taken} />
      )}
      {earlier.map(({ currency, verified }) => (
        <Text key={currency} size="sm">
          {t('shift.earlier')}: <Money amount={verified.amount} currency={currency} />
        </Text>
      ))}
      {nobody.length > 0 && (
        <>
          <div>
            <Title order={2}>{t('shift.nobody')}</Title>
            <Quiet>{t('shift.nobodyLead')}</Quiet>
          </div>
          <SumsTable
            label={t('shift.nobody')}
            groups={nobody.map(({ wallet, sums }) => ({
              key: `${wallet.id} ${sums.currency}`,
              name: <bdi>{shippedName(wallet.name, t)}</bdi>,
              sums,
              head: 'arrived',
            }))}
          />
        </>
      )}
      {open.length > 0 && <NotHandedOver report={report} />}
    </Stack>
  )
}

const Times = ({ shift }: { shift: Report['shift'] }) => {
  const { t } = useWords(shiftWords)
  const { started_at: started, ended_at: ended, ended_by: by } = shift
  return (
    <div>
      <Text>
        {t('field.from')} <Moment at={started} />{' '}
        {ended === null ? (
          `· ${t('shift.stillOpen')}`
        ) : (
          <>
            {t('shift.until')} <Moment at={ended} />
          </>
        )}
      </Text>
      {ended !== null && by === '' && <Text c="dimmed">{t('shift.forgotten')}</Text>}
      {by !== '' && by !== shift.by && <Text c="dimmed">{t('shift.endedBy', { who: userName(by) })}</Text>}
    </div>
  )
}

const NotHandedOver = ({ report }: { report: Report }) => {
  const { t } = useWords(shiftWords)
  const lines = report.not_handed_over
  const all = [...report.totals, ...report.nobody.map(({ sums }) => sums)].reduce(
    (count, sums) => count + sums.not_handed_over.count,
    0,
  )
  return (
    <>
      <Title order={2}>{t('shift.notHanded')}</Title>
      <List spacing={6} listStyleType="none">
        {lines.map((line) => (
          <List.Item key={line.alert}>
            <Clock at={line.received_at} /> <Money amount={line.amount} currency={line.currency} />{' '}
            <Anchor component={Link} href={`/intents/${line.intent}`}>
              <bdi>{line.external_order_id || line.code || t('shift.noOrder')}</bdi>
            </Anchor>{' '}
            <bdi>{line.payer}</bdi>
          </List.Item>
        ))}
      </List>
      {all > lines.length && <Text c="dimmed">{t('shift.notHandedMore')}</Text>}
    </>
  )
}
