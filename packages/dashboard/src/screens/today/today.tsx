/** Today: three figures first, each a way to its list; then the last days as bars, and the wallets with their phones. */
import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAsk } from '../../api/ask.ts'
import { useMe } from '../../frame/me.ts'
import { Money } from '../../parts/figures.tsx'
import { Card, Coming, Page } from '../../parts/page.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { Bars } from './bars.tsx'
import type { Overview } from './overview.ts'
import { OwnerNotices } from './owner-notices.tsx'
import classes from './today.module.css'
import { WalletStrip } from './wallet-strip.tsx'

const Today = () => {
  const { t } = useWords()
  const { may } = useMe()
  const verified = useAsk('listIntents', {
    query: { status: 'VERIFIED', page_size: 1 },
    kinds: ['intent'],
    when: may('intents.write'),
  })
  const overview = useAsk('showOverview', { kinds: ['intent', 'alert', 'wallet', 'phone'], every_ms: 30_000 })
  return (
    <Page title={t('frame.today')}>
      {overview.isError && <Trouble problem={overview.error} again={() => void overview.refetch()} />}
      {(overview.isPending || verified.isLoading) && <Coming rows={8} />}
      {overview.data !== undefined && !verified.isLoading && (
        <>
          {verified.data?.count === 0 && <FirstPayment />}
          <Figures overview={overview.data} />
        </>
      )}
    </Page>
  )
}

export default Today

const Figures = ({ overview }: { overview: Overview }) => {
  const { t } = useWords()
  const { may } = useMe()
  const { verified_today: verified, waiting, currency } = overview
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <Figure label={t('today.verified')} href="/intents?status=VERIFIED" className={classes.verified}>
          <Money amount={verified.sum} currency={currency} />
          <Text c="dimmed">{t('today.payments', { count: verified.count })}</Text>
        </Figure>
        <Figure label={t('today.waiting')} href="/intents?status=PENDING" className={classes.waiting}>
          <Money amount={waiting.sum} currency={currency} />
          <Text c="dimmed">
            {t('today.payments', { count: waiting.count })}
            {waiting.without_reference > 0 && ` · ${t('today.withoutReference', { count: waiting.without_reference })}`}
          </Text>
        </Figure>
        <Attention overview={overview} />
      </SimpleGrid>
      {may('notices.read') && <OwnerNotices />}
      <Stack gap="sm">
        <Title order={2}>{t('today.chart')}</Title>
        <Card>
          <Bars days={overview.days} currency={currency} />
        </Card>
      </Stack>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('today.wallets')}</Title>
          {may('wallets.write') && (
            <Anchor component={Link} href="/wallets">
              {t('frame.wallets')}
            </Anchor>
          )}
        </Group>
        <WalletStrip wallets={overview.wallets} />
      </Stack>
    </>
  )
}

/** Shown until something was verified, on whichever wallet. */
const FirstPayment = () => {
  const { t } = useWords()
  return (
    <Card>
      <Group justify="space-between">
        <div>
          <Title order={2}>{t('today.firstPayment')}</Title>
          <Text c="dimmed">{t('today.firstPaymentLead')}</Text>
        </div>
        <Button component={Link} href="/first-payment">
          {t('today.firstPaymentGo')}
        </Button>
      </Group>
    </Card>
  )
}

const Figure = (given: { label: string; href: string; className: string | undefined; children: ReactNode }) => (
  <Link href={given.href} className={`card ${classes.figure} ${given.className ?? ''}`}>
    <span className={classes.label}>{given.label}</span>
    {given.children}
  </Link>
)

const Attention = ({ overview }: { overview: Overview }) => {
  const { t, language } = useWords()
  const { unmatched, review, held, unread, more } = overview.attention
  const all = unmatched.count + review.count + held.count + unread
  const parts = [
    unmatched.count > 0 && t('today.unmatched', { count: unmatched.count }),
    review.count > 0 && t('today.review', { count: review.count }),
    held.count > 0 && t('today.held', { count: held.count }),
    unread > 0 && t('today.unread', { count: unread }),
  ].filter((part) => part !== false)
  return (
    <Figure label={t('today.attention')} href="/unmatched" className={all > 0 ? classes.attention : classes.calm}>
      <bdi className="figure">
        {inDigits(String(all), language)}
        {more ? '+' : ''}
      </bdi>
      <Text c="dimmed">{parts.length === 0 ? t('today.nothingNeedsYou') : parts.join(' · ')}</Text>
    </Figure>
  )
}
