/**
 * The sums of a wallet's day, from the balances in its messages, with the amounts that no message explains.
 */

import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link, useSearchParams } from 'wouter'
import { urlOf } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { withFilters } from '../../parts/list/url-filters.ts'
import { Loading, Page } from '../../parts/page/page.tsx'
import { CsvButton } from '../../parts/print/report-buttons.tsx'
import { useWords } from '../../words/language.ts'
import { dayCloseWords } from '../../words/screens/day-close.ts'
import type { Day } from './day.ts'
import { Gaps, Outcomes } from './day-gaps.tsx'
import { DayLines } from './day-lines.tsx'
import { DayPicker } from './day-picker.tsx'
import { RecentDays } from './recent-days.tsx'
import { Voucher } from './voucher.tsx'

export const WalletDay = () => {
  const { t } = useWords(dayCloseWords)
  const [params, setParams] = useSearchParams()
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const all = wallets.data?.results ?? []
  const wallet = params.get('wallet') ?? undefined
  const day = params.get('day') ?? undefined
  const shown = useApi('showDayClose', {
    query: { wallet, day },
    kinds: ['alert', 'intent'],
    when: wallet !== undefined,
    keep: true,
  })
  const set = (changes: Readonly<Record<string, string>>): void => setParams((params) => withFilters(params, changes))
  const problem = wallets.error ?? shown.error
  const query = { wallet: wallet ?? '', day }
  return (
    <Page
      title={t('frame.dayClose')}
      actions={wallet !== undefined && <CsvButton href={urlOf('downloadDayClose', { query })} />}
    >
      <Anchor component={Link} href={day === undefined ? '/day-close' : `/day-close?day=${day}`}>
        {t('day.all')}
      </Anchor>
      {problem !== null && <Problem problem={problem} retry={() => void shown.refetch()} />}
      {wallet !== undefined && (
        <Group gap="sm" align="flex-end">
          <Select
            label={t('field.wallet')}
            data={all.map(({ id, name }) => ({ value: id, label: shippedName(name, t) }))}
            value={wallet}
            onChange={(chosen) => chosen !== null && set({ wallet: chosen })}
            miw={220}
            flex="1 1 220px"
            maw={420}
          />
          <DayPicker shown={shown.data} choose={(chosen) => set({ day: chosen })} />
        </Group>
      )}
      {wallet !== undefined && (
        <RecentDays wallet={wallet} shownDay={shown.data?.day} choose={(chosen) => set({ day: chosen })} />
      )}
      {problem === null && wallet !== undefined && shown.data === undefined && <Loading rows={8} />}
      {shown.data !== undefined && <DayReport day={shown.data} />}
    </Page>
  )
}

const DayReport = ({ day }: { day: Day }) => {
  const { t } = useWords(dayCloseWords)
  return (
    <Stack gap="lg">
      {!day.closed && <Text c="dimmed">{t('day.open')}</Text>}
      <Voucher day={day} />
      {day.gaps.length > 0 && <Gaps day={day} />}
      <Outcomes day={day} />
      <DayLines day={day} />
    </Stack>
  )
}
