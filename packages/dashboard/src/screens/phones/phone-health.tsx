/** What a phone reports about itself; missing values are left out. */
import type { ReactNode } from 'react'
import { Count, NameList, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { Card } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import { ConnectedBy } from './connected-by.tsx'
import type { Phone } from './phone.ts'

/** Values of apps for the network that have a translation; others, such as `lte`, are shown as they are. */
const networks = ['connected', 'disconnected', 'none', 'wifi', 'mobile'] as const
const hasWords = (network: string): network is (typeof networks)[number] =>
  (networks as readonly string[]).includes(network)

export const PhoneHealth = ({ phone }: { phone: Phone }) => (
  <Card>
    <PhoneFacts phone={phone} />
  </Card>
)

export const PhoneFacts = ({ phone }: { phone: Phone }) => {
  const { t, language } = useWords(phonesWords)
  const { health } = phone
  const lines: { name: string; value: ReactNode }[] = [
    { name: t('phones.pairing'), value: <ConnectedBy phone={phone} /> },
    { name: t('phones.pairedAt'), value: phone.paired_at && <When at={phone.paired_at} /> },
    {
      name: t('field.lastMessage'),
      value: phone.last_alert_at === null ? t('phones.never') : <When at={phone.last_alert_at} />,
    },
    {
      name: t('frame.wallets'),
      value:
        phone.wallets.length === 0 ? (
          t('phones.noWallets')
        ) : (
          <NameList>{phone.wallets.map(({ name }) => shippedName(name, t))}</NameList>
        ),
    },
    {
      name: t('phones.battery'),
      value:
        health.battery === null ? null : (
          <>
            <bdi className="figure" dir="ltr">
              {inDigits(`${health.battery}%`, language)}
            </bdi>
            {health.charging && ` · ${t('phones.charging')}`}
          </>
        ),
    },
    {
      name: t('phones.network'),
      value:
        health.network &&
        (hasWords(health.network) ? t(`phones.network.${health.network}`) : <bdi>{health.network}</bdi>),
    },
    { name: t('phones.app'), value: health.app && <bdi>{`${health.app} ${health.app_version ?? ''}`}</bdi> },
    { name: t('phones.model'), value: health.model && <bdi>{health.model}</bdi> },
    { name: t('phones.queue'), value: health.queue_depth === null ? null : <Count>{health.queue_depth}</Count> },
    {
      name: t('phones.clock'),
      value:
        health.clock_off_s === null || Math.abs(health.clock_off_s) < 5
          ? null
          : t('phones.seconds', { count: Math.round(health.clock_off_s) }),
    },
  ]
  return (
    <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
      {lines
        .filter(({ value }) => value !== null)
        .map(({ name, value }) => (
          <DetailRow key={name} name={name} value={value} />
        ))}
    </dl>
  )
}
