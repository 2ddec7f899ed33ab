/** A warning: another app than the chosen one used the phone's address and was refused. */
import { Alert, Text } from '@mantine/core'
import { When } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { hasText } from '../../words/catalogue.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

export const RefusedApp = ({ phone }: { phone: Pick<Phone, 'refused_app'> }) => {
  const { t } = useWords(phonesWords)
  const refused = phone.refused_app
  if (refused === null) return null
  const key = `phones.app.${refused.app}`
  return (
    <Alert color="red" role="status" title={t('phones.refusedApp')}>
      <Text>{t('phones.refusedAppLead', { app: hasText(phonesWords, key) ? t(key) : refused.app })}</Text>
      <Quiet>
        <When at={refused.at} />
      </Quiet>
    </Alert>
  )
}
