/** Day close: a wallet's day added up from the balances in its messages, and what no message told of. */

import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { firstWallet } from '@sanad/contract/dashboard/first-queries'
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import { Link, useSearchParams } from 'wouter'
import { useAsk } from '../../api/ask.ts'
import { addressOf } from '../../api/call.ts'
import { Select } from '../../parts/later.tsx'
import { Coming, Empty, Page } from '../../parts/page.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/language.ts'
import { type Day, shifted } from './day.ts'
import { DayLines } from './day-lines.tsx'
import { Became, Gaps } from './day-parts.tsx'
import { RecentDays } from './recent-days.tsx'
import { Voucher } from './voucher.tsx'

const DayClose = () => {
  const { t } = useWords()
  const [given, setGiven] = useSearchParams()
  const wallets = useAsk('listWallets', { kinds: ['wallet'] })
  const all = wallets.data?.results ?? []
  // The first that may have moved money; the testing wallet only when there is no other.
  const wallet = given.get('wallet') ?? firstWallet(all)?.id
  const day = given.get('day') ?? undefined
  const shown = useAsk('showDayClose', {
    query: { wallet, day },
    kinds: ['alert', 'intent'],
    when: wallet !== undefined,
    keep: true,
  })
  const set = (changes: { wallet?: string; day?: string }): void =>
    setGiven((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(changes)) after.set(name, value)
      return after
    })
  const problem = wallets.error ?? shown.error
  const asked = { wallet: wallet ?? '', day }
  return (
    <Page
      title={t('frame.dayClose')}
      actions={
        wallet !== undefined && (
          <Button
            component="a"
            variant="default"
            href={addressOf('downloadDayClose', { query: asked })}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('day.csv')}
          </Button>
        )
      }
    >
      {problem !== null && <Trouble problem={problem} again={() => void shown.refetch()} />}
      {wallets.data !== undefined && all.length === 0 && (
        <Empty
          action={
            <Button component={Link} href="/wallets">
              {t('day.addWallet')}
            </Button>
          }
        >
          {t('day.noWallets')}
        </Empty>
      )}
      {wallet !== undefined && (
        <Group gap="sm" align="flex-end">
          <Select
            label={t('day.wallet')}
            data={all.map(({ id, name }) => ({ value: id, label: name }))}
            value={wallet}
            onChange={(chosen) => chosen !== null && set({ wallet: chosen })}
            allowDeselect={false}
            miw={220}
            flex="1 1 220px"
            maw={420}
          />
          <Turning shown={shown.data} choose={(chosen) => set({ day: chosen })} />
        </Group>
      )}
      {wallet !== undefined && (
        <RecentDays wallet={wallet} here={shown.data?.day} choose={(chosen) => set({ day: chosen })} />
      )}
      {problem === null && wallet !== undefined && shown.data === undefined && <Coming rows={8} />}
      {shown.data !== undefined && <Shown day={shown.data} />}
    </Page>
  )
}

export default DayClose

const Turning = ({ shown, choose }: { shown: Day | undefined; choose: (day: string) => void }) => {
  const { t } = useWords()
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('day.before')}
        disabled={shown === undefined}
        onClick={() => shown !== undefined && choose(shifted(shown.day, -1))}
      >
        <span className="mirrored">
          <IconChevronLeft size={18} aria-hidden />
        </span>
      </ActionIcon>
      <TextInput
        type="date"
        label={t('day.day')}
        value={shown?.day ?? ''}
        onChange={(event) => event.currentTarget.value !== '' && choose(event.currentTarget.value)}
        w={160}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('day.after')}
        disabled={shown === undefined || !shown.closed}
        onClick={() => shown !== undefined && choose(shifted(shown.day, 1))}
      >
        <span className="mirrored">
          <IconChevronRight size={18} aria-hidden />
        </span>
      </ActionIcon>
    </Group>
  )
}

const Shown = ({ day }: { day: Day }) => {
  const { t } = useWords()
  return (
    <Stack gap="lg">
      {!day.closed && <Text c="dimmed">{t('day.open')}</Text>}
      <Voucher day={day} />
      {day.gaps.length > 0 && <Gaps day={day} />}
      <Became day={day} />
      <DayLines day={day} />
    </Stack>
  )
}
