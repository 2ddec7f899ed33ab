/**
 * Accepting an invitation. A new user sets a name and a password; a registered user signs in with the invited address
 * first.
 */
import { Alert, Anchor, Button, Center, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { onReconnect } from '../../api/connection.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { SignIn } from '../../frame/sign-in.tsx'
import { bindText } from '../../parts/form/bind.ts'
import { NewPasswordField } from '../../parts/form/password-fields.tsx'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { minuteTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { signedOutWords } from '../../words/screens/signed-out.ts'
import { forgetLinkToken, useLinkToken } from './link-token.ts'
import { SignedOutPage } from './signed-out-page.tsx'

type ShownInvitation = Answer<'showInvitation'>

const Invitation = () => {
  const { t } = useWords(signedOutWords)
  const token = useLinkToken()
  const show = useApiMutation('showInvitation', [])
  const { mutate } = show
  const unanswered = show.error?.unanswered !== undefined
  useEffect(() => {
    if (token !== '') mutate({ body: { token }, reads: true })
  }, [token, mutate])
  useEffect(() => {
    if (!unanswered) return undefined
    return onReconnect(() => mutate({ body: { token }, reads: true }))
  }, [unanswered, token, mutate])
  if (show.data !== undefined) return <Invited token={token} shown={show.data} />
  return (
    <SignedOutPage title={t('invitation.title')}>
      {token === '' && <Alert color="yellow">{t('invitation.noLink')}</Alert>}
      {show.error !== null && (
        <>
          <Problem problem={show.error} />
          {!unanswered && <Text>{t('invitation.over')}</Text>}
        </>
      )}
      {show.isPending && (
        <Center>
          <Loader aria-label={t('part.loading')} />
        </Center>
      )}
      {(token === '' || (show.error !== null && !unanswered)) && (
        <Anchor component={Link} href="/" size="sm">
          {t('forgot.back')}
        </Anchor>
      )}
    </SignedOutPage>
  )
}

export default Invitation

/** Accepts the invitation; afterwards the user is signed in. */
const useAccept = () => {
  const client = useQueryClient()
  const [, go] = useLocation()
  const accept = useApiMutation('acceptInvitation', [])
  const send = (body: { token: string; name?: string; new_password?: string }): void =>
    accept.mutate(
      { body },
      {
        onSuccess: (me) => {
          forgetLinkToken()
          // Cached answers belong to another account or to no session.
          client.removeQueries()
          client.setQueryData(['showMe', null, null], me)
          go('/', { replace: true })
        },
      },
    )
  return { send, error: accept.error, isPending: accept.isPending }
}

const useLead = ({ invited_by, email, account, role, expires_at }: ShownInvitation): string => {
  const { t, language } = useWords(signedOutWords)
  const values = { email, account, role: t(`role.${role}`) }
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const lead =
    invited_by === '' ? t('invitation.leadOperator', values) : t('invitation.lead', { ...values, who: invited_by })
  return `${lead} ${t('invitation.until', { when: minuteTime(expires_at, language, zone) })}`
}

const Invited = ({ token, shown }: { token: string; shown: ShownInvitation }) =>
  shown.known ? <RegisteredUser token={token} shown={shown} /> : <NewUser token={token} shown={shown} />

const NewUser = ({ token, shown }: { token: string; shown: ShownInvitation }) => {
  const { t } = useWords(signedOutWords)
  const lead = useLead(shown)
  const { send, error, isPending } = useAccept()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const errorOf = (attr: string) => fieldProblem(error, attr, t)
  const join = (event: FormEvent): void => {
    event.preventDefault()
    send({ token, name, new_password: password })
  }
  return (
    <SignedOutPage title={t('invitation.title')} lead={lead}>
      <form onSubmit={join}>
        <Stack>
          {error !== null && !['name', 'new_password'].some(errorOf) && <Problem problem={error} />}
          <TextInput
            label={t('field.yourName')}
            name="name"
            autoComplete="name"
            required
            maxLength={200}
            {...bindText(name, setName)}
            error={errorOf('name')}
          />
          <NewPasswordField value={password} set={setPassword} problem={error} />
          <Button type="submit" loading={isPending} fullWidth size="md">
            {t('invitation.join')}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  )
}

const RegisteredUser = ({ token, shown }: { token: string; shown: ShownInvitation }) => {
  const { t } = useWords(signedOutWords)
  const client = useQueryClient()
  const lead = useLead(shown)
  const me = useApi('showMe', { kinds: ['user', 'session'] })
  const leave = useApiMutation('signOut', [])
  const { send, error, isPending } = useAccept()
  if (me.isPending) return <SignedOutPage title={t('invitation.title')}>{null}</SignedOutPage>
  if (me.data === undefined)
    return (
      <SignIn
        ended={false}
        title={t('invitation.signInFirst', { account: shown.account })}
        lead={t('invitation.signInLead', { email: shown.email })}
      />
    )
  const isInvitedUser = me.data.user.email === shown.email
  return (
    <SignedOutPage title={t('invitation.title')} lead={lead}>
      {error !== null && <Problem problem={error} />}
      {isInvitedUser ? (
        <Button loading={isPending} onClick={() => send({ token })} fullWidth size="md">
          {t('invitation.accept')}
        </Button>
      ) : (
        <>
          <Alert color="yellow">{t('invitation.otherPerson', { me: me.data.user.email, email: shown.email })}</Alert>
          <Button
            variant="default"
            loading={leave.isPending}
            onClick={() => leave.mutate({}, { onSettled: () => void client.resetQueries() })}
          >
            {t('invitation.signOut')}
          </Button>
        </>
      )}
    </SignedOutPage>
  )
}
