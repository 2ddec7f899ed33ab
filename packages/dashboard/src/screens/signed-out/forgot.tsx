/** A forgotten password: requests a link. The answer is the same whether the address is registered or not. */
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { signedOutWords } from '../../words/screens/signed-out.ts'
import { SignedOutPage } from './signed-out-page.tsx'

const Forgot = () => {
  const { t } = useWords(signedOutWords)
  const ask = useApiMutation('askPasswordReset', [])
  const [email, setEmail] = useState('')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    ask.mutate({ body: { email } })
  }
  return (
    <SignedOutPage title={t('signIn.forgot')} lead={t('forgot.lead')}>
      {ask.error !== null && <Problem problem={ask.error} />}
      {ask.isSuccess ? (
        <Alert color="gray" role="status">
          <Text>{t('forgot.sent')}</Text>
          <Text mt="xs">{t('forgot.noMail')}</Text>
        </Alert>
      ) : (
        <form onSubmit={send}>
          <Stack>
            <TextInput
              label={t('field.email')}
              type="email"
              name="email"
              autoComplete="username"
              dir="ltr"
              required
              maxLength={254}
              {...bindText(email, setEmail)}
            />
            <Button type="submit" loading={ask.isPending} fullWidth size="md">
              {t('forgot.go')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} href="/" size="sm">
        {t('forgot.back')}
      </Anchor>
    </SignedOutPage>
  )
}

export default Forgot
