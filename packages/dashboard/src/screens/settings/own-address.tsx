/** Shown until the address of the user is proved: by a link that is mailed to it, where the service sends mail. */
import { Alert, Button } from '@mantine/core'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'

export const OwnAddress = () => {
  const { t } = useWords(settingsWords)
  const { me } = useMe()
  const send = useApiMutation('mailOwnProof', [])
  const { email, address_proved } = me.user
  if (address_proved) return null
  return (
    <Section
      title={t('you.address')}
      lead={`${t('you.addressLead', { email })}${me.sends_mail ? '' : ` ${t('you.addressNoMail')}`}`}
      actions={
        me.sends_mail && (
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate({})}>
            {t('you.addressSend')}
          </Button>
        )
      }
    >
      {send.error !== null && <Problem problem={send.error} />}
      {send.isSuccess && (
        <Alert color="green" role="status">
          {t('you.addressSent', { email })}
        </Alert>
      )}
    </Section>
  )
}
