/** One alert in any state: details, actions, related messages, and history. */
import { Grid, Stack, Text, Title } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { useState } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/use-api.ts'
import { Code, Money, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { userName } from '../../parts/format/user-name.ts'
import { WalletName } from '../../parts/format/wallet-name.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Card, Loading, Page } from '../../parts/page/page.tsx'
import { hasText } from '../../words/catalogue.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { AlertBody } from './alert-body.tsx'
import { shortReason } from './alert-card.tsx'
import { useAlertMoney } from './alert-money.ts'
import { type Outcome, OutcomeContext, OutcomeLine } from './outcome.tsx'
import type { WholeAlert } from './queue-alert.ts'
import { Sightings } from './seen-by.tsx'
import classes from './unmatched.module.css'

export const OneAlert = ({ id }: { id: string }) => {
  const { t } = useWords(unmatchedWords)
  const money = useAlertMoney()
  const alert = useApi('showAlert', { path: { id }, kinds: ['alert', 'intent'] })
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  if (alert.isError)
    return (
      <LoadFailed
        list="/unmatched"
        title={t('unmatched.title')}
        problem={alert.error}
        retry={() => void alert.refetch()}
      />
    )
  if (alert.data === undefined) return <Loading rows={8} />
  const shown = alert.data
  const state = t(`unmatched.state.${shown.state}`)
  const reason = shortReason(shown, t)
  return (
    <Page title={money(shown)}>
      <div className={classes.under}>
        <BackTo href="/unmatched" name={t('unmatched.title')} inRow />
        <span className={classes.why} data-state={shown.state}>
          {state}
        </span>
        {reason !== state && <span className={classes.quiet}>{reason}</span>}
      </div>
      {outcome !== undefined && <OutcomeLine outcome={outcome} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Card>
            <OutcomeContext value={setOutcome}>
              <AlertBody alert={shown} />
            </OutcomeContext>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <Details alert={shown} />
            <Sightings seen={shown.seen_by} />
            <Related alert={shown} />
            <History alert={shown} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

const Details = ({ alert }: { alert: WholeAlert }) => {
  const { t } = useWords(unmatchedWords)
  return (
    <Card>
      <Title order={2} mb="xs">
        {t('alert.facts')}
      </Title>
      <dl className={classes.question}>
        <DetailRow
          name={t('field.wallet')}
          value={alert.wallet === null ? t('unmatched.noWallet') : <WalletName wallet={alert.wallet} />}
        />
        <DetailRow
          name={t('field.payer')}
          value={<bdi>{alert.payer === '' ? t('unmatched.noPayer') : alert.payer}</bdi>}
        />
        {alert.balance !== null && (
          <DetailRow
            name={t('alert.balance')}
            value={<Money amount={alert.balance} currency={alert.currency ?? usualCurrency} />}
          />
        )}
        <DetailRow name={t('field.sender')} value={<bdi>{alert.sender}</bdi>} />
        <DetailRow name={t('alert.phone')} value={<bdi>{shippedName(alert.device.name, t)}</bdi>} />
        <DetailRow name={t('alert.received')} value={<When at={alert.received_at} />} />
      </dl>
    </Card>
  )
}

const Related = ({ alert }: { alert: WholeAlert }) => {
  const { t } = useWords(unmatchedWords)
  const money = useAlertMoney()
  if (alert.related.length === 0) return null
  return (
    <Card>
      <Title order={2} mb="xs">
        {t('alert.related')}
      </Title>
      <Stack gap={4}>
        {alert.related.map((other) => (
          <Text key={other.id} size="sm">
            <Link href={`/unmatched/${other.id}`}>{money(other)}</Link> · {t(`unmatched.state.${other.state}`)} ·{' '}
            <When at={other.received_at} />
            {other.reference !== '' && (
              <>
                {' '}
                · <Code>{other.reference}</Code>
              </>
            )}
          </Text>
        ))}
      </Stack>
    </Card>
  )
}

const History = ({ alert }: { alert: WholeAlert }) => {
  const { t } = useWords(unmatchedWords)
  if (alert.history.length === 0) return null
  const sentence = (action: string, by: string): string => {
    const key = `alert.did.${action.replace(/^\w+\./, '')}`
    return t(hasText(unmatchedWords, key) ? key : 'alert.did.other', { by: userName(by) })
  }
  return (
    <Card>
      <Title order={2} mb="xs">
        {t('alert.history')}
      </Title>
      <Stack gap={4}>
        {alert.history.map(({ at, by, action }) => (
          <Text key={`${at} ${action}`} size="sm">
            {sentence(action, by)} · <When at={at} />
          </Text>
        ))}
      </Stack>
    </Card>
  )
}
