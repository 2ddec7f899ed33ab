/** Proves the address of a signed-in user with the token of a mailed link. Without a session the user signs in first. */
import { Alert, Anchor, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { SignIn } from '../../frame/sign-in.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { signedOutWords } from '../../words/screens/signed-out.ts'
import { forgetLinkToken, useLinkToken } from './link-token.ts'
import { SignedOutPage } from './signed-out-page.tsx'

const ProveAddress = () => {
  const { t } = useWords(signedOutWords)
  const client = useQueryClient()
  const [, go] = useLocation()
  const token = useLinkToken()
  const me = useApi('showMe', { kinds: ['user', 'session'] })
  const prove = useApiMutation('proveAddress', [])
  if (token === '')
    return (
      <SignedOutPage title={t('address.title')}>
        <Alert color="yellow">{t('newPassword.noLink')}</Alert>
        <Anchor component={Link} href="/" size="sm">
          {t('forgot.back')}
        </Anchor>
      </SignedOutPage>
    )
  if (me.isPending) return <SignedOutPage title={t('address.title')}>{null}</SignedOutPage>
  if (me.data === undefined)
    return <SignIn ended={false} title={t('address.signInFirst')} lead={t('address.signInLead')} />
  const send = (): void =>
    prove.mutate(
      { body: { token } },
      {
        onSuccess: () => {
          forgetLinkToken()
          void client.resetQueries()
          go('/settings/you', { replace: true })
        },
      },
    )
  return (
    <SignedOutPage title={t('address.title')} lead={t('address.lead', { email: me.data.user.email })}>
      {prove.error !== null && <Problem problem={prove.error} />}
      <Button loading={prove.isPending} onClick={send} fullWidth size="md">
        {t('address.go')}
      </Button>
    </SignedOutPage>
  )
}

export default ProveAddress
