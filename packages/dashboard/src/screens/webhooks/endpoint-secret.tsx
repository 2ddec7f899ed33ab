/** The secret of an endpoint, shown once. */
import { Text } from '@mantine/core'
import { ShownOnce } from '../../parts/form/shown-once.tsx'
import { useWords } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'

export const EndpointSecret = ({ secret, done }: { secret: string; done: () => void }) => {
  const { t } = useWords(webhooksWords)
  return (
    <ShownOnce title={t('webhooks.made')} secrets={[{ label: t('webhooks.secret'), value: secret }]} done={done}>
      <Text>{t('webhooks.secretLead')}</Text>
    </ShownOnce>
  )
}
