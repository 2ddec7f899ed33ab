/** The secret of an endpoint, shown once. */
import { Text } from '@mantine/core'
import { ShownOnce } from '../../parts/form/shown-once.tsx'
import { useWords } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'

export const EndpointSecret = ({ secret, close }: { secret: string; close: () => void }) => {
  const { t } = useWords(webhooksWords)
  return (
    <ShownOnce title={t('webhooks.made')} secrets={[{ label: t('webhooks.secret'), value: secret }]} close={close}>
      <Text>{t('webhooks.secretLead')}</Text>
    </ShownOnce>
  )
}
