/** Sets a new password with the token of a link. */
import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { NewPasswordField } from '../../parts/form/password-fields.tsx'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { signedOutWords } from '../../words/screens/signed-out.ts'
import { forgetLinkToken, useLinkToken } from './link-token.ts'
import { SignedOutPage } from './signed-out-page.tsx'

const NewPassword = () => {
  const { t } = useWords(signedOutWords)
  const token = useLinkToken()
  const reset = useApiMutation('resetPassword', [])
  const [password, setPassword] = useState('')
  const fieldError = fieldProblem(reset.error, 'new_password', t)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    reset.mutate({ body: { token, new_password: password } }, { onSuccess: forgetLinkToken })
  }
  if (reset.isSuccess)
    return (
      <SignedOutPage title={t('newPassword.title')}>
        <Alert color="green" role="status">
          {t('newPassword.done')}
        </Alert>
        <Button component={Link} href="/" fullWidth size="md">
          {t('signIn.go')}
        </Button>
      </SignedOutPage>
    )
  return (
    <SignedOutPage title={t('newPassword.title')} lead={t('newPassword.lead')}>
      {token === '' && <Alert color="yellow">{t('newPassword.noLink')}</Alert>}
      {reset.error !== null && fieldError === undefined && <Problem problem={reset.error} />}
      {token !== '' && (
        <form onSubmit={send}>
          <Stack>
            <NewPasswordField value={password} set={setPassword} problem={reset.error} />
            <Button type="submit" loading={reset.isPending} fullWidth size="md">
              {t('newPassword.go')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} href="/forgot" size="sm">
        {t('newPassword.another')}
      </Anchor>
    </SignedOutPage>
  )
}

export default NewPassword
