/** The sign-in page: e-mail address and password, and a code where a second factor is set up. */
import { Alert, Anchor, Button, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../api/call.ts'
import { hasPasskeys, PasskeyNotUsed, signInWithPasskey } from '../api/passkey.ts'
import { useApiMutation } from '../api/use-api.ts'
import { bindText } from '../parts/form/bind.ts'
import { problemText } from '../parts/form/problem.tsx'
import { useWords } from '../words/language.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { Logo } from './logo.tsx'

/** `title` and `lead`: for a page that needs a sign-in for a certain purpose. */
export const SignIn = ({ ended, title, lead }: { ended: boolean; title?: string; lead?: string }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const signIn = useApiMutation('signIn', [])
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const problem = signIn.error
  const [codeRequired, setCodeRequired] = useState(false)
  const [passkeyProblem, setPasskeyProblem] = useState<string>()
  const [passkeyBusy, setPasskeyBusy] = useState(false)

  // The answer contains the session: it need not be fetched.
  const show = (me: Answer<'signIn'>): void => {
    // Removes everything that an earlier user saw.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'showMe' })
    client.setQueryData(['showMe', null, null], me)
  }

  const signInByPasskey = async (): Promise<void> => {
    setPasskeyBusy(true)
    setPasskeyProblem(undefined)
    try {
      show(await signInWithPasskey())
    } catch (fault) {
      setPasskeyProblem(fault instanceof PasskeyNotUsed ? t('signIn.passkeyNone') : problemText(fault as Error, t))
      setPasskeyBusy(false)
    }
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    signIn.mutate(
      { body: { email, password, ...(code === '' ? {} : { code }) } },
      {
        onSuccess: show,
        onError: (refusal) => {
          setPasskeyProblem(undefined)
          if (refusal.has('second_factor_required') || refusal.has('second_factor_wrong')) setCodeRequired(true)
          setCode('')
        },
      },
    )
  }

  const message =
    passkeyProblem ??
    (problem === null || problem.has('second_factor_required')
      ? undefined
      : problem.has('second_factor_wrong')
        ? t('signIn.codeWrong')
        : problem.has('authentication_failed')
          ? t('signIn.wrong')
          : problemText(problem, t))

  return (
    <Center mih="100vh" p="md">
      <main>
        <form onSubmit={submit}>
          <Stack w={340} maw="calc(100vw - 32px)" gap="md">
            <Stack gap={4}>
              <Logo size={40} />
              <Title order={1}>{title ?? t('signIn.title')}</Title>
              <Text c="dimmed">{lead ?? t('signIn.lead')}</Text>
            </Stack>
            {ended && <Alert color="gray">{t('signIn.ended')}</Alert>}
            {message !== undefined && (
              <Alert color="red" role="alert">
                {message}
              </Alert>
            )}
            <TextInput
              label={t('field.email')}
              type="email"
              name="email"
              autoComplete="username"
              dir="ltr"
              required
              {...bindText(email, setEmail)}
            />
            <PasswordInput
              visibilityToggleButtonProps={{ 'aria-label': t('part.showPassword') }}
              label={t('field.password')}
              name="password"
              autoComplete="current-password"
              dir="ltr"
              required
              {...bindText(password, setPassword)}
            />
            {codeRequired && (
              <TextInput
                label={t('signIn.code')}
                name="code"
                autoComplete="one-time-code"
                inputMode="numeric"
                dir="ltr"
                autoFocus
                required
                {...bindText(code, setCode)}
              />
            )}
            <Button type="submit" loading={signIn.isPending} fullWidth size="md">
              {t('signIn.go')}
            </Button>
            {hasPasskeys() && (
              <Button
                variant="default"
                loading={passkeyBusy}
                onClick={() => void signInByPasskey()}
                fullWidth
                size="md"
              >
                {t('signIn.passkey')}
              </Button>
            )}
            <Anchor component={Link} href="/forgot" size="sm">
              {t('signIn.forgot')}
            </Anchor>
            <LanguageSwitch />
          </Stack>
        </form>
      </main>
    </Center>
  )
}
