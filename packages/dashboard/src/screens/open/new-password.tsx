/** A new password, set by the link that was sent. */
import { Alert, Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useChange } from '../../api/ask.ts'
import { fieldProblem, Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/language.ts'
import { forgetLinkToken, useLinkToken } from './link-token.ts'
import { OpenPage } from './open-page.tsx'

const NewPassword = () => {
  const { t } = useWords()
  const token = useLinkToken()
  const reset = useChange('resetPassword', [])
  const [password, setPassword] = useState('')
  const wrong = fieldProblem(reset.error, 'new_password', t)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    reset.mutate({ body: { token, new_password: password } }, { onSuccess: forgetLinkToken })
  }
  if (reset.isSuccess)
    return (
      <OpenPage title={t('newPassword.title')}>
        <Alert color="green" role="status">
          {t('newPassword.done')}
        </Alert>
        <Button component={Link} href="/" fullWidth size="md">
          {t('signIn.go')}
        </Button>
      </OpenPage>
    )
  return (
    <OpenPage title={t('newPassword.title')} lead={t('newPassword.lead')}>
      {token === '' && <Alert color="yellow">{t('newPassword.noLink')}</Alert>}
      {reset.error !== null && wrong === undefined && <Trouble problem={reset.error} />}
      {token !== '' && (
        <form onSubmit={send}>
          <Stack>
            <PasswordInput
              label={t('newPassword.new')}
              description={t('newPassword.rule')}
              name="new_password"
              autoComplete="new-password"
              dir="ltr"
              required
              minLength={10}
              maxLength={200}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={wrong}
            />
            <Button type="submit" loading={reset.isPending} fullWidth size="md">
              {t('newPassword.go')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component={Link} href="/forgot" size="sm">
        {t('newPassword.another')}
      </Anchor>
    </OpenPage>
  )
}

export default NewPassword
