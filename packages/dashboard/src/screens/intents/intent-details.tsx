/** The details of an intent. */
import { Text } from '@mantine/core'
import { isZero } from '../../parts/format/amounts.ts'
import { Code, Count, Money, When } from '../../parts/format/figures.tsx'
import { PayerText } from '../../parts/format/payer-text.tsx'
import { askedAmount } from '../../parts/format/received-amount.ts'
import { userName } from '../../parts/format/user-name.ts'
import { WalletName } from '../../parts/format/wallet-name.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { Card } from '../../parts/page/page.tsx'
import { type Translate, useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { isBookedByMember } from './booked-by-member.ts'
import type { ShownIntent } from './intent.ts'
import { SetPayer } from './set-payer.tsx'

/** From this number of tried references on, a buyer may be guessing. */
const manyReferences = 5

export const byText = ({ kind, name }: ShownIntent['created_by'], t: Translate<typeof intentsWords>): string =>
  t(`by.${kind}`, { name: kind === 'person' ? userName(name) : name })

/** What was asked and what arrived, if they differ: what is forgiven, or what is too much, is a figure of its own. */
const ArrivalRows = ({ intent }: { intent: ShownIntent }) => {
  const { t } = useWords(intentsWords)
  const { currency, arrived_amount: arrived, forgiven_amount: forgiven, excess_amount: excess } = intent
  const asked = askedAmount(intent)
  if (arrived === null || forgiven === null || excess === null || asked === null) return null
  if (isZero(forgiven) && isZero(excess) && arrived === intent.payable_amount) return null
  return (
    <>
      <DetailRow name={t('intent.asked')} value={<Money amount={asked} currency={currency} />} />
      <DetailRow name={t('field.arrived')} value={<Money amount={arrived} currency={currency} strong />} />
      {!isZero(forgiven) && (
        <DetailRow name={t('field.forgiven')}>
          <Text span c="var(--sanad-wrong)" fw={600}>
            <Money amount={forgiven} currency={currency} />
          </Text>
        </DetailRow>
      )}
      {!isZero(excess) && (
        <DetailRow name={t('field.excess')}>
          <Text span c="var(--sanad-wrong)" fw={600}>
            <Money amount={excess} currency={currency} />
          </Text>
        </DetailRow>
      )}
    </>
  )
}

export const IntentDetails = ({ intent }: { intent: ShownIntent }) => {
  const { t } = useWords(intentsWords)
  return (
    <Card>
      <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
        <DetailRow name={t('field.wallet')} value={<WalletName wallet={intent.wallet} />} />
        {intent.base_amount !== intent.payable_amount && (
          <DetailRow name={t('intent.base')} value={<Money amount={intent.base_amount} currency={intent.currency} />} />
        )}
        <ArrivalRows intent={intent} />
        {intent.paid_amount !== null && (
          <DetailRow
            name={t('field.arrived')}
            value={<Money amount={intent.paid_amount} currency={intent.currency} strong />}
          />
        )}
        {intent.external_order_id !== '' && (
          <DetailRow name={t('field.order')} value={<Code free>{intent.external_order_id}</Code>} />
        )}
        {intent.reference !== '' && <DetailRow name={t('field.reference')} value={<Code>{intent.reference}</Code>} />}
        {intent.payer !== null && (
          <DetailRow name={t(`payer.source.${intent.payer.source}`)} value={<PayerText payer={intent.payer} />} />
        )}
        {intent.references_tried >= manyReferences && (
          <DetailRow name={t('intent.tried')}>
            <Text span c="var(--sanad-wrong)" fw={600}>
              <Count>{intent.references_tried}</Count>
            </Text>
          </DetailRow>
        )}
        <DetailRow name={t('field.createdBy')} value={byText(intent.created_by, t)} />
        <DetailRow name={t('field.created')} value={<When at={intent.created_at} />} />
        {intent.status === 'PENDING' && (
          <DetailRow name={t('intent.expires')} value={<When at={intent.expires_at} />} />
        )}
        {intent.verified_at !== null && (
          <DetailRow name={t('intent.verified')} value={<When at={intent.verified_at} />} />
        )}
        {isBookedByMember(intent) && <DetailRow name={t('field.byHand')} value={t('part.yes')} />}
        {intent.notes !== '' && <DetailRow name={t('field.note')} value={intent.notes} />}
      </dl>
      <SetPayer key={intent.id} intent={intent} />
    </Card>
  )
}
