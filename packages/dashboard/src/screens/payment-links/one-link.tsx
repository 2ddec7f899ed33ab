/** One payment link: the switch, sharing and printing, how far its buyers came, and their checkouts. */
import { Alert, Button, Stack, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { IconDownload, IconPower, IconPrinter } from '@tabler/icons-react'
import { lazy } from 'react'
import { Link } from 'wouter'

import { urlOf } from '../../api/call.ts'
import { loadFile } from '../../api/load-file.ts'
import { useApiMutation, usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { When } from '../../parts/format/figures.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { HeadLine, HeadName } from '../../parts/page/head-line.tsx'
import { Card, Empty, Page } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { WhenSeen } from '../../parts/pictures/when-seen.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { CheckoutRows } from '../checkouts/checkout-rows.tsx'
import { ShareLink } from '../checkouts/share-link.tsx'
import { useShopName } from '../checkouts/shop-name.ts'
import { UntriedWallets } from '../checkouts/untried-wallets.tsx'
import { byText } from '../intents/intent-details.tsx'
import { Funnel } from './funnel.tsx'
import { LinkAmount, LinkState, linkTitle, type ShownLink } from './link.tsx'
import { LoadedLink } from './loaded-link.tsx'

const FunnelDays = lazy(() => loadFile(() => import('./funnel-days.tsx')))

export const OneLink = ({ id }: { id: string }) => <LoadedLink id={id}>{(link) => <Loaded link={link} />}</LoadedLink>

const Loaded = ({ link }: { link: ShownLink }) => {
  const { t } = useWords(checkoutsWords)
  const { may } = useMe()
  const change = useApiMutation('switchPaymentLink', ['payment_link'])
  const toggle = (): void => change.mutate({ path: { id: link.id }, body: { active: !link.active } })
  return (
    <Page
      title={linkTitle(link, t)}
      actions={
        may('checkouts.write') && (
          <Button
            variant={link.active ? 'default' : 'filled'}
            loading={change.isPending}
            leftSection={<IconPower size={16} aria-hidden />}
            onClick={toggle}
          >
            {t(link.active ? 'act.switchOff' : 'act.switchOn')}
          </Button>
        )
      }
    >
      <HeadLine>
        <BackTo href="/payment-links" name={t('frame.paymentLinks')} inRow />
        <LinkState active={link.active} />
        <HeadName>
          <LinkAmount link={link} />
        </HeadName>
      </HeadLine>
      {change.error !== null && <Problem problem={change.error} />}
      {!link.active && <Alert color="gray">{t('links.offLead')}</Alert>}
      {link.active && <UntriedWallets wallets={link.wallets} />}
      {link.active && <Share link={link} />}
      <Funnel funnel={link.funnel} />
      <WhenSeen rows={6}>
        <FunnelDays link={link.id} />
      </WhenSeen>
      <Details link={link} />
      <Checkouts link={link} />
    </Page>
  )
}

const Share = ({ link }: { link: ShownLink }) => {
  const { t, language } = useWords(checkoutsWords)
  const shop = useShopName()
  const { id, url, qr_svg, amount, currency } = link
  if (url === null || qr_svg === null) return null
  const text =
    amount === null
      ? t('share.textOpen', { shop })
      : t('share.text', { shop, amount: moneyText(amount, currency, language) })
  const file = (format: 'svg' | 'png') => (
    <Button
      component="a"
      variant="default"
      href={urlOf('downloadLinkQr', { path: { id }, query: { format } })}
      download={`payment-link.${format}`}
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {t(`links.${format}`)}
    </Button>
  )
  return (
    <Section title={t('act.share')} lead={t(link.once ? 'share.onceLead' : 'share.linkLead')}>
      <ShareLink url={url} qr={qr_svg} text={text}>
        <Button
          component={Link}
          variant="default"
          href={`/payment-links/${id}/poster`}
          leftSection={<IconPrinter size={16} aria-hidden />}
        >
          {t('links.poster')}
        </Button>
        {file('png')}
        {file('svg')}
      </ShareLink>
    </Section>
  )
}

const Details = ({ link }: { link: ShownLink }) => {
  const { t } = useWords(checkoutsWords, intentsWords)
  return (
    <Card>
      <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
        <DetailRow name={t('links.uses')} value={t(link.once ? 'links.once' : 'links.many')} />
        <DetailRow name={t('field.createdBy')} value={byText(link.created_by, t)} />
        <DetailRow name={t('links.created')} value={<When at={link.created_at} />} />
      </dl>
    </Card>
  )
}

const Checkouts = ({ link }: { link: ShownLink }) => {
  const { t } = useWords(checkoutsWords)
  const list = usePagedList('listCheckouts', {
    query: { link: link.id, ...firstPage.checkouts },
    kinds: ['checkout', 'intent'],
  })
  return (
    <Stack gap="xs">
      <Title order={2} fz={16}>
        {t('links.checkouts')}
      </Title>
      <GrowingList list={list} empty={<Empty>{t('links.noCheckouts')}</Empty>}>
        {(rows) => <CheckoutRows rows={rows} label={t('links.checkouts')} ofLink />}
      </GrowingList>
    </Stack>
  )
}
