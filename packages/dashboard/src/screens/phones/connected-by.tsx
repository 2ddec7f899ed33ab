/** How a phone is connected: by which app, by an app that has not reported yet, or not yet. */
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

export const ConnectedBy = ({ phone }: { phone: Pick<Phone, 'app' | 'forwards' | 'last_seen_at'> }) => {
  const { t } = useWords(phonesWords)
  if (phone.app === '' && phone.forwards === 'no' && phone.last_seen_at === null) return t('phones.by.nothing')
  const app = phone.app === '' ? t('phones.app.other') : t(`phones.app.${phone.app}`)
  return t(phone.last_seen_at === null ? 'phones.by.unheard' : 'phones.by.app', { app })
}
