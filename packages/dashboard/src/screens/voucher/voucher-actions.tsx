/** Share a voucher as an image, copy its public link, print it, revoke the link. It is mounted with the paper that is printed. */
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { ignoreShownError, Problem } from '../../parts/form/problem.tsx'
import { Copyable } from '../../parts/form/shown-once.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { momentText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { voucherWords } from '../../words/voucher.ts'
import { useShopName } from '../checkouts/shop-name.ts'
import type { ShownIntent } from '../intents/intent.ts'
import { byText } from '../intents/intent-details.tsx'
import { PrintedVoucher } from './printed-voucher.tsx'
import classes from './voucher.module.css'
import { voucherFacts } from './voucher-facts.ts'
import { shareImage } from './voucher-image.ts'

/** `brief`: without the line about the link, which is on the page of the intent. */
export const VoucherActions = ({ intent, brief = false }: { intent: ShownIntent; brief?: boolean }) => {
  const { t, language } = useWords(voucherWords)
  const { may, zone } = useMe()
  const shop = useShopName()
  const share = useApiMutation('shareVoucher', ['intent'])
  const [said, setSaid] = useState('')
  /** The link, where the browser did not let us copy it. */
  const [link, setLink] = useState('')
  const mayShare = may('vouchers.write')
  const reference = intent.reference === '' ? (intent.alert?.reference ?? '') : intent.reference
  const printed = voucherFacts(intent, intent.alert?.payer ?? '', reference, t, language, zone)

  const copy = (): void =>
    void share.mutateAsync({ path: { id: intent.id } }).then(async ({ url }) => {
      setLink('')
      try {
        await navigator.clipboard.writeText(url)
        setSaid(t('voucher.copied'))
      } catch {
        setSaid('')
        setLink(url)
      }
    }, ignoreShownError)
  const image = (): void =>
    void share.mutateAsync({ path: { id: intent.id } }).then(async ({ url, payer }) => {
      const facts = voucherFacts(intent, payer, '', t, language, zone)
      const name = `${intent.external_order_id.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 40) || intent.code}.png`
      const how = await shareImage(facts, {
        shop,
        note: t('voucher.check'),
        url,
        edge: intent.provider.theme_color,
        name,
      })
      setSaid(how === 'saved' ? t('voucher.saved') : how === 'failed' ? t('voucher.failed') : '')
    }, ignoreShownError)
  return (
    <>
      <div className={classes.row}>
        {mayShare && (
          <>
            <Button variant="default" loading={share.isPending} onClick={image}>
              {t('voucher.image')}
            </Button>
            <Button variant="default" onClick={copy}>
              {t('voucher.copy')}
            </Button>
          </>
        )}
        <Button variant="default" onClick={() => window.print()}>
          {t('act.print')}
        </Button>
      </div>
      <div role="status" className={classes.quiet} style={{ textAlign: 'center' }}>
        {said}
      </div>
      {link !== '' && <Copyable label={t('voucher.copyByHand')} value={link} />}
      {share.error !== null && <Problem problem={share.error} />}
      {!brief && intent.voucher !== null && mayShare && <Revoke intent={intent} mark={intent.voucher} />}
      <PrintedVoucher facts={printed} shop={shop} note="" />
    </>
  )
}

const Revoke = ({ intent, mark }: { intent: ShownIntent; mark: NonNullable<ShownIntent['voucher']> }) => {
  const { t, language } = useWords(voucherWords, intentsWords)
  const { zone } = useMe()
  const now = useNow()
  const revoke = useApiMutation('revokeVoucher', ['intent'])
  const [isConfirming, setConfirming] = useState(false)
  const send = (): void =>
    void revoke.mutateAsync({ path: { id: intent.id } }).then(() => setConfirming(false), ignoreShownError)
  return (
    <div className={classes.row}>
      <p className={classes.quiet}>
        {t('voucher.shared', { by: byText(mark.by, t), when: momentText(mark.at, now, language, zone) })}
      </p>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setConfirming(true)}>
        {t('voucher.revoke')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('voucher.revoke')}
          submitLabel={t('voucher.revoke')}
          danger
          call={revoke}
          no={() => setConfirming(false)}
          yes={send}
        >
          <Text>{t('voucher.revokeSure')}</Text>
        </Confirm>
      )}
    </div>
  )
}
