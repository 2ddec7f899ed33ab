/** A notice for a phone whose app does not sign: payments above a limit of the wallet wait for review. Links to the limit. */
import { Alert, Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

export const UnsignedApp = ({ phone }: { phone: Pick<Phone, 'forwards'> }) => {
  const { t } = useWords(phonesWords)
  if (phone.forwards !== 'unsigned') return null
  return (
    <Alert color="yellow" role="status">
      {t('phones.unsigned')}{' '}
      <Anchor component={Link} href="/wallets" inherit underline="always">
        {t('phones.unsignedGo')}
      </Anchor>
    </Alert>
  )
}
