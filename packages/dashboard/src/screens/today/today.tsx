/**
 * The start page: what arrived today, what needs the user, and the last payments, live. Then pictures, which are loaded when they are
 * seen, and the wallets with their phones.
 */
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { lazy } from 'react'
import { Link } from 'wouter'
import { loadFile } from '../../api/load-file.ts'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Card, Loading, Page } from '../../parts/page/page.tsx'
import { WhenSeen } from '../../parts/pictures/when-seen.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { todayWords } from '../../words/screens/today.ts'
import { OpenApprovals } from '../approvals/open-approvals.tsx'
import { MissingContact } from '../checkouts/shop-contact.tsx'
import { OpenRequests } from '../requests/open-requests.tsx'
import { FirstSuggested } from '../wallets/suggested-amounts.tsx'
import { ArrivedHead } from './arrived-head.tsx'
import { NeedsYou } from './needs-you.tsx'
import type { Overview } from './overview.ts'
import { OwnerNotices } from './owner-notices.tsx'
import { RecentMoney } from './recent-money.tsx'
import classes from './today.module.css'
import { WalletStrip } from './wallet-strip.tsx'

const Pictures = lazy(() => loadFile(() => import('./pictures.tsx')))

const Today = () => {
  const { t } = useWords()
  const { may } = useMe()
  const verified = useApi('listIntents', {
    query: firstPage.latestPaid,
    kinds: ['intent'],
    when: may('intents.write'),
  })
  const overview = useApi('showOverview', {
    kinds: ['intent', 'alert', 'wallet', 'phone', 'webhook'],
    every_ms: 30_000,
  })
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
  // Test money is for the time before the first real payment.
  const wallets = overview.wallets.filter(({ is_test }) => !is_test || !overview.has_money)
  return (
    <>
      <div className={classes.top}>
        <div className={classes.sums}>
          <ArrivedHead overview={overview} />
          <NeedsYou overview={overview} />
          <Waiting waiting={overview.waiting} />
        </div>
        <RecentMoney />
      </div>
      <MissingContact />
      {may('requests.read') && <OpenRequests />}
      {may('approvals.read') && <OpenApprovals />}
      <OwnerNotices />
      {/* Money without a reference waits for review. If none waits, unique amounts need not be suggested. */}
      {may('wallets.amounts') && (hasNoPayment || overview.attention.review.count > 0) && (
        <FirstSuggested
          wallets={overview.wallets.map((wallet) => ({ ...wallet, active: wallet.state !== 'inactive' }))}
        />
      )}
      {overview.has_money && (
        <Stack gap="sm">
          <Title order={2}>{t('today.pictures')}</Title>
          <WhenSeen rows={8}>
            <Pictures />
          </WhenSeen>
        </Stack>
      )}
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('today.wallets')}</Title>
          {may('wallets.write') && (
            <Anchor component={Link} href="/wallets">
              {t('frame.wallets')}
            </Anchor>
          )}
        </Group>
        <WalletStrip wallets={wallets} />
      </Stack>
    </>
  )
}

/** Payment requests that wait for their money. */
const Waiting = ({ waiting }: { waiting: Overview['waiting'] }) => {
  const { t, language } = useWords(todayWords)
  return (
    <Link href="/intents?status=PENDING" className={`card ${classes.figure} ${classes.waiting}`}>
      <span className={classes.label}>{t('state.PENDING')}</span>
      <span>
        {t('today.requests', { count: waiting.count })}
        {waiting.sums.map(({ currency, sum }) => (
          <bdi key={currency} className={`figure ${classes.lineSum}`}>
            {moneyText(sum, currency, language)}
          </bdi>
        ))}
      </span>
      {waiting.without_reference > 0 && (
        <Text c="dimmed" size="sm">
          {t('today.withoutReference', { count: waiting.without_reference })}
        </Text>
      )}
    </Link>
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
