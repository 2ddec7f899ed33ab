/** A small preview of the buyer's page with the typed, unsaved settings. It is only a picture: nothing in it works. */
import { Text } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import type { Answer } from '../../api/call.ts'
import { useMe } from '../../frame/session-context.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import classes from './checkouts.module.css'

export const PagePreview = ({ settings }: { settings: Answer<'showCheckoutPage'> }) => {
  const { t, language } = useWords(checkoutsWords)
  const { me } = useMe()
  const { shop_name: name, color, logo, whatsapp, phone } = settings
  return (
    <figure style={{ margin: 0 }}>
      <Text component="figcaption" size="sm" c="dimmed" mb={4}>
        {t('page.preview')}
      </Text>
      <div className={classes.preview}>
        {/^#[0-9A-F]{6}$/.test(color) && <div className={classes.band} style={{ background: color }} />}
        <div className={classes.previewInside}>
          <div className={classes.previewShop}>
            {logo !== null && <img src={logo.url} width={logo.width} height={logo.height} alt="" />}
            <bdi>{name.trim() === '' ? (me.account?.name ?? '') : name}</bdi>
          </div>
          <div className={`${classes.previewCard} ${classes.previewSum}`}>
            <span>{t('page.previewOrder')}</span>
            <b>{moneyText('1500.00', usualCurrency, language)}</b>
          </div>
          <div className={classes.previewCard}>
            {t('page.previewChoose')}
            <div className={classes.previewButton}>{t('page.previewWallet')}</div>
          </div>
          {whatsapp !== '' && <div className={classes.previewButton}>{t('page.previewWhatsapp')}</div>}
          {phone !== '' && (
            <div className={classes.previewButton}>
              {t('page.previewCall')} <bdi dir="ltr">{phone}</bdi>
            </div>
          )}
        </div>
      </div>
    </figure>
  )
}
