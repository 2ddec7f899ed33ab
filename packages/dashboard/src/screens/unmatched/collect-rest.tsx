/** After a payment that was too small: a button that collects the rest, and the link for the buyer afterwards. */

import { Anchor, Button, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindTick } from '../../parts/form/bind.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Modal } from '../../parts/form/lazy-overlays.tsx'
import { ignoreShownError } from '../../parts/form/problem.tsx'
import { isNegative, subtract, withoutSign } from '../../parts/format/amounts.ts'
import { type OrderName, orderText } from '../../parts/format/order-name.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { voucherWords } from '../../words/voucher.ts'
import { ShareLink } from '../checkouts/share-link.tsx'
import { useShopName } from '../checkouts/shop-name.ts'
import { Difference } from './accept-paid.tsx'
import { isRefusedAsSame } from './doubts.tsx'
import { type Outcome, useOutcome } from './outcome.tsx'

type Props = {
  intent: OrderName & { readonly id: string; readonly payable_amount: string }
  alert: Outcome['alert']
  /** The amount that arrived. */
  paid: string
  currency: string
  /** The alert may report a payment that has already paid an order: the user must confirm that it is another payment. */
  doubted?: boolean
  /** The money is spent: there is no button, only the link of what was collected just now. */
  hidden?: boolean
}

export const CollectRest = (props: Props) => {
  const { t, language } = useWords(unmatchedWords, voucherWords)
  const { may } = useMe()
  const showOutcome = useOutcome()
  const collect = useApiMutation('collectRest', ['intent', 'alert', 'checkout'])
  const [isConfirming, setConfirming] = useState(false)
  const [another, setAnother] = useState(false)
  const [checkout, setCheckout] = useState<Answer<'collectRest'>>()
  const { intent, currency } = props
  const missing = subtract(props.paid, intent.payable_amount)
  const money = (amount: string): string => moneyText(amount, currency, language)
  const order = orderText(intent, t)
  const facts = { paid: money(props.paid), rest: money(withoutSign(missing)), order }
  const doubted = props.doubted === true || isRefusedAsSame(collect.error)
  const body = { paid_amount: props.paid, ...(doubted ? { another_payment: another } : {}) }
  const done = (): void => {
    const part = checkout?.intents.at(-1)
    setCheckout(undefined)
    showOutcome({
      alert: props.alert,
      text: t('rest.done', facts),
      ...(part === undefined
        ? {}
        : { intent: { id: part.id, code: part.code, external_order_id: intent.external_order_id } }),
    })
  }
  if (checkout !== undefined) return <RestLink checkout={checkout} facts={facts} close={done} />
  if (!may('checkouts.write') || !isNegative(missing) || props.hidden === true) return null
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setConfirming(true)}>
        {t('rest.go', facts)}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('rest.title', facts)}
          submitLabel={t('rest.go', facts)}
          danger={doubted}
          ready={!doubted || another}
          call={collect}
          no={() => setConfirming(false)}
          yes={() =>
            void collect.mutateAsync({ path: { id: intent.id }, body }).then((answer) => {
              setConfirming(false)
              setCheckout(answer)
            }, ignoreShownError)
          }
        >
          <Difference paid={props.paid} payable={intent.payable_amount} currency={currency} />
          <Text>{t('rest.what', facts)}</Text>
          {doubted && <Checkbox label={t('book.anotherPayment')} {...bindTick(another, setAnother)} />}
          <Text fw={600}>{t('book.final')}</Text>
        </Confirm>
      )}
    </>
  )
}

/** The link is shown before the list replaces the card: afterwards it is on the page of the checkout. */
const RestLink = (props: {
  checkout: Answer<'collectRest'>
  facts: { readonly paid: string; readonly rest: string; readonly order: string }
  close: () => void
}) => {
  const { t } = useWords(voucherWords)
  const shop = useShopName()
  const { checkout, facts } = props
  const { url, qr_svg: qr } = checkout
  return (
    <Modal opened onClose={props.close} title={t('rest.go', facts)} size="lg">
      <Text mb="md">{t('rest.done', facts)}</Text>
      {url !== null && qr !== null && (
        <ShareLink url={url} qr={qr} text={t('rest.message', { rest: facts.rest, shop })}>
          <Anchor component={Link} href={`/checkouts/${checkout.id}`}>
            {t('rest.open')}
          </Anchor>
        </ShareLink>
      )}
    </Modal>
  )
}
