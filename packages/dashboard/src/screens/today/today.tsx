/**
 * The start page: money paid, money awaited, and what needs the user, each with a link. Unique amounts follow if they are
 * suggested, then the last days as bars, and the wallets with their phones.
 */
import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { ForgivenSum } from '../../parts/format/arrival.tsx'
import { Money } from '../../parts/format/figures.tsx'
import { Card, Loading, Page } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { todayWords } from '../../words/screens/today.ts'
import { OpenApprovals } from '../approvals/open-approvals.tsx'
import { MissingContact } from '../checkouts/shop-contact.tsx'
import { FirstSuggested } from '../wallets/suggested-amounts.tsx'
import { BarChart } from './bar-chart.tsx'
import type { Overview } from './overview.ts'
import { OwnerNotices } from './owner-notices.tsx'
import classes from './today.module.css'
import { WalletStrip } from './wallet-strip.tsx'

const Today = () => {
  const { t } = useWords()
  const { may } = useMe()
  const verified = useApi('listIntents', {
    query: firstPage.latestPaid,
    kinds: ['intent'],
    when: may('intents.write'),
  })
  const overview = useApi('showOverview', { kinds: ['intent', 'alert', 'wallet', 'phone'], every_ms: 30_000 })
  return (
    <Page title={t('frame.today')}>
      {overview.isError && <Problem problem={overview.error} retry={() => void overview.refetch()} />}
      {(overview.isPending || verified.isLoading) && <Loading rows={8} />}
      {overview.data !== undefined && !verified.isLoading && (
        <>
          {verified.data?.count === 0 && <FirstPayment />}
          <Figures overview={overview.data} hasNoPayment={verified.data?.count === 0} />
        </>
      )}
    </Page>
  )
}

export default Today

const Figures = ({ overview, hasNoPayment }: { overview: Overview; hasNoPayment: boolean }) => {
  const { t } = useWords(todayWords)
  const { may } = useMe()
  const { verified_today: verified, waiting, currency } = overview
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <div className={classes.sums}>
          <Figure label={t('today.verified')} href="/intents?status=VERIFIED" className={classes.verified}>
            <Money amount={verified.sum} currency={currency} />
            <Text c="dimmed">{t('today.payments', { count: verified.count })}</Text>
            <ForgivenSum amount={verified.forgiven_amount} currency={currency} />
          </Figure>
          <Figure label={t('today.waiting')} href="/intents?status=PENDING" className={classes.waiting}>
            <Money amount={waiting.sum} currency={currency} />
            <Text c="dimmed">
              {t('today.requests', { count: waiting.count })}
              {waiting.without_reference > 0 &&
                ` · ${t('today.withoutReference', { count: waiting.without_reference })}`}
            </Text>
          </Figure>
        </div>
        <Attention overview={overview} />
      </SimpleGrid>
      <MissingContact />
      {may('approvals.read') && <OpenApprovals />}
      {may('notices.read') && <OwnerNotices />}
      {/* Money without a reference waits for review. If none waits, unique amounts need not be suggested. */}
      {may('wallets.amounts') && (hasNoPayment || overview.attention.review.count > 0) && (
        <FirstSuggested
          wallets={overview.wallets.map((wallet) => ({ ...wallet, active: wallet.state !== 'inactive' }))}
        />
      )}
      <Stack gap="sm">
        <Title order={2}>{t('today.chart')}</Title>
        <Card>
          <BarChart days={overview.days} currency={currency} />
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

/** Shown until the account's first payment. */
const FirstPayment = () => {
  const { t } = useWords(todayWords)
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

const Figure = (props: { label: string; href: string; className: string | undefined; children: ReactNode }) => (
  <Link href={props.href} className={`card ${classes.figure} ${props.className ?? ''}`}>
    <span className={classes.label}>{props.label}</span>
    {props.children}
  </Link>
)

/** What needs the user: the total, and a link for each kind. */
const Attention = ({ overview }: { overview: Overview }) => {
  const { t, language } = useWords(todayWords)
  const { may } = useMe()
  const { unmatched, review, held, unread, wrong_amount: wrong, silent_phones: silent, more } = overview.attention
  const lines = [
    {
      key: 'wrong',
      count: wrong.count,
      text: t('today.wrong', { count: wrong.count }),
      href: queueLink('wrong_amount'),
    },
    { key: 'review', count: review.count, text: t('today.review', { count: review.count }), href: queueLink('review') },
    {
      key: 'unmatched',
      count: unmatched.count,
      text: t('today.unmatched', { count: unmatched.count }),
      href: queueLink('waiting'),
    },
    { key: 'held', count: held.count, text: t('today.held', { count: held.count }), href: queueLink('held') },
    { key: 'unread', count: unread, text: t('today.unread', { count: unread }), href: queueLink('unread') },
    {
      key: 'silent',
      count: silent,
      text: t('today.silentPhones', { count: silent }),
      href: may('phones.read') ? '/phones' : '/wallets',
    },
  ].filter(({ count }) => count > 0)
  const total = lines.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={`card ${classes.figure} ${total > 0 ? classes.attention : classes.calm}`}>
      <span className={classes.label}>{t('today.attention')}</span>
      <bdi className="figure">
        {inDigits(String(total), language)}
        {more ? '+' : ''}
      </bdi>
      {lines.length === 0 ? (
        <Text c="dimmed">{t('today.nothingNeedsYou')}</Text>
      ) : (
        <ul className={classes.lines}>
          {lines.map(({ key, text, href }) => (
            <li key={key}>
              <Link href={href} className={classes.opens}>
                <span>{text}</span>
                <span className="mirrored">
                  <IconChevronRight size={16} aria-hidden />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const queueLink = (state: string): string => `/unmatched?state=${state}`
