/** One checkout: its amount and state, the link to share or the receipt, its payments, and its timeline. */
import { Anchor, Button, Grid, Stack, Text, Title } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { ArrivalNote, ForgivenSum } from '../../parts/format/arrival.tsx'
import { Code, Money, State, When } from '../../parts/format/figures.tsx'
import { receivedAmount } from '../../parts/format/received-amount.ts'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { TestMark } from '../../parts/format/wallet-name.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { HeadLine, HeadName } from '../../parts/page/head-line.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Card, Empty, Loading, Page } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { TimelineCard } from '../../parts/page/timeline.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { byText } from '../intents/intent-details.tsx'
import { arrivedOf, type ShownCheckout, shownState } from './checkout.ts'
import { ShareLink } from './share-link.tsx'
import { useShopName } from './shop-name.ts'
import { UntriedWallets } from './untried-wallets.tsx'

export const OneCheckout = ({ id }: { id: string }) => {
  const { t, language } = useWords(checkoutsWords)
  const checkout = useApi('showCheckout', { path: { id }, kinds: ['checkout', 'intent'], every_ms: 60_000 })
  if (checkout.isError)
    return (
      <LoadFailed
        list="/checkouts"
        title={t('frame.checkouts')}
        problem={checkout.error}
        retry={() => void checkout.refetch()}
      />
    )
  if (checkout.data === undefined) return <Loading rows={10} />
  const shown = checkout.data
  return (
    <Page title={moneyText(shown.amount, shown.currency, language)} actions={<Actions checkout={shown} />}>
      <HeadLine>
        <BackTo href="/checkouts" name={t('frame.checkouts')} inRow />
        <span className={shown.status === 'COMPLETE' ? 'stamp' : ''} key={shown.status}>
          <State state={shownState(shown.status, arrivedOf(shown))} />
        </span>
        {shown.is_test && <TestMark />}
        {shown.external_order_id !== '' && (
          <HeadName>
            {t('field.order')} <Code free>{shown.external_order_id}</Code>
          </HeadName>
        )}
      </HeadLine>
      {shown.status === 'OPEN' && <UntriedWallets wallets={shown.wallets} />}
      {shown.status === 'OPEN' && <Share checkout={shown} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Details checkout={shown} />
            <Intents checkout={shown} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Timeline checkout={shown} />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

const Share = ({ checkout }: { checkout: ShownCheckout }) => {
  const { t, language } = useWords(checkoutsWords)
  const shop = useShopName()
  const { url, qr_svg, amount, currency } = checkout
  if (url === null || qr_svg === null) return null
  const text = t('share.text', { shop, amount: moneyText(amount, currency, language) })
  return (
    <Section title={t('share.title')} lead={t('share.lead')}>
      <ShareLink url={url} qr={qr_svg} text={text} />
    </Section>
  )
}

const Actions = ({ checkout }: { checkout: ShownCheckout }) => {
  const { t, language } = useWords(checkoutsWords)
  const { may } = useMe()
  const cancel = useApiMutation('cancelCheckout', ['checkout', 'intent'])
  const [isConfirming, setConfirming] = useState(false)
  if (checkout.status === 'COMPLETE' && checkout.url !== null)
    return (
      <Button
        component="a"
        variant="default"
        href={checkout.url}
        target="_blank"
        rel="noopener noreferrer"
        leftSection={<IconReceipt size={16} aria-hidden />}
      >
        {t('checkouts.receipt')}
      </Button>
    )
  if (checkout.status !== 'OPEN' || !may('checkouts.write')) return null
  const amount = moneyText(checkout.amount, checkout.currency, language)
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {t('checkouts.cancel')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('checkouts.cancel')}
          submitLabel={t('checkouts.cancel')}
          danger
          call={cancel}
          no={() => setConfirming(false)}
          yes={() => cancel.mutate({ path: { id: checkout.id } }, { onSuccess: () => setConfirming(false) })}
        >
          <Text>{t('checkouts.cancelSure', { amount })}</Text>
        </Confirm>
      )}
    </>
  )
}

const Details = ({ checkout }: { checkout: ShownCheckout }) => {
  const { t } = useWords(checkoutsWords, intentsWords)
  const { customer, currency } = checkout
  const arrived = arrivedOf(checkout)
  return (
    <Card>
      <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
        <DetailRow name={t('checkouts.paid')}>
          <Money amount={checkout.paid} currency={currency} strong />
          <ForgivenSum amount={checkout.forgiven_amount} currency={currency} />
        </DetailRow>
        {arrived !== null && (
          <DetailRow name={t('field.arrived')} value={<Money amount={arrived} currency={currency} />} />
        )}
        {checkout.description !== '' && (
          <DetailRow name={t('checkouts.description')} value={<bdi>{checkout.description}</bdi>} />
        )}
        {(customer.name !== '' || customer.phone !== '') && (
          <DetailRow name={t('checkouts.customer')}>
            <bdi>{customer.name}</bdi> {customer.phone !== '' && <Code>{customer.phone}</Code>}
          </DetailRow>
        )}
        {checkout.allow_remaining && <DetailRow name={t('checkouts.rest')} value={t('part.yes')} />}
        {checkout.link !== null && (
          <DetailRow name={t('checkouts.ofLink')}>
            <Anchor component={Link} href={`/payment-links/${checkout.link}`}>
              {t('checkouts.ofLinkOpen')}
            </Anchor>
          </DetailRow>
        )}
        <DetailRow name={t('checkouts.by')} value={byText(checkout.created_by, t)} />
        <DetailRow name={t('checkouts.created')} value={<When at={checkout.created_at} />} />
        {checkout.ended_at === null ? (
          <DetailRow name={t('checkouts.expires')} value={<When at={checkout.expires_at} />} />
        ) : (
          <DetailRow name={t('checkouts.ended')} value={<When at={checkout.ended_at} />} />
        )}
      </dl>
    </Card>
  )
}

type Intent = ShownCheckout['intents'][number]

const Intents = ({ checkout }: { checkout: ShownCheckout }) => {
  const { t } = useWords(checkoutsWords)
  if (checkout.intents.length === 0)
    return checkout.status === 'OPEN' ? <Empty>{t('checkouts.noIntents')}</Empty> : null
  const columns: Column<Intent>[] = [
    {
      head: t('field.amount'),
      cell: (intent) => (
        <>
          <Money amount={intent.paid_amount ?? receivedAmount(intent)} currency={checkout.currency} strong />
          <ArrivalNote of={intent} currency={checkout.currency} />
        </>
      ),
    },
    { head: t('field.state'), cell: (intent) => <State state={intent.status} /> },
    { head: t('field.wallet'), cell: (intent) => <bdi>{shippedName(intent.wallet.name, t)}</bdi> },
    {
      head: t('field.reference'),
      cell: (intent) => <Code>{intent.reference}</Code>,
      blank: (intent) => intent.reference === '',
    },
  ]
  return (
    <Stack gap="xs">
      <Title order={2} fz={16}>
        {t('checkouts.intents')}
      </Title>
      <Rows
        label={t('checkouts.intents')}
        rows={checkout.intents}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/intents/${id}`}
      />
    </Stack>
  )
}

const Timeline = ({ checkout }: { checkout: ShownCheckout }) => {
  const { t, language } = useWords(checkoutsWords, intentsWords)
  const money = (amount: string | undefined): string => moneyText(amount ?? '', checkout.currency, language)
  const lineOf = ({ kind, by, facts }: ShownCheckout['timeline'][number]) => {
    if (kind === 'booked' && by.kind === 'buyer') return 'line.bookedByBuyer'
    if (kind === 'booked' && facts.forgiven !== undefined) return 'line.bookedShort'
    return kind === 'booked' && facts.excess !== undefined ? 'line.bookedOver' : (`checkouts.line.${kind}` as const)
  }
  const sentence = (entry: ShownCheckout['timeline'][number]): string => {
    const { by, facts } = entry
    return t(lineOf(entry), {
      by: byText(by, t),
      wallet: shippedName(facts.wallet ?? '', t),
      reference: facts.reference ?? '',
      amount: money(facts.amount),
      paid: money(facts.paid),
      payable: money(facts.payable),
      forgiven: money(facts.forgiven),
      excess: money(facts.excess),
    })
  }
  const entries = checkout.timeline.map((entry) => ({
    at: entry.at,
    kind: entry.kind === 'completed' ? 'verified' : entry.kind,
    text: sentence(entry),
  }))
  return <TimelineCard title={t('checkouts.timeline')} entries={entries} />
}
