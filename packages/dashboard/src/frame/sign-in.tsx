/** Signing in: an address and a password, and a code where a second factor is set up. */
import { Alert, Anchor, Button, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useApiMutation } from '../api/use-api.ts'
import { problemText } from '../parts/form/problem.tsx'
import { useWords } from '../words/language.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { Logo } from './logo.tsx'

/** `title` and `lead` say why, where it is not the usual door. */
export const SignIn = ({ ended, title, lead }: { ended: boolean; title?: string; lead?: string }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const knock = useApiMutation('signIn', [])
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const problem = knock.error
  const [asksCode, setAsksCode] = useState(false)

  const go = (event: FormEvent): void => {
    event.preventDefault()
    knock.mutate(
      { body: { email, password, ...(code === '' ? {} : { code }) } },
      {
        // The answer says who is signed in now: nobody need be asked again.
        onSuccess: (me) => {
          // Nothing is left of whoever looked before.
          client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'showMe' })
          client.setQueryData(['showMe', null, null], me)
        },
        onError: (no) => {
          if (no.has('second_factor_required') || no.has('second_factor_wrong')) setAsksCode(true)
          setCode('')
        },
      },
    )
  }

  const said =
    problem === null || problem.has('second_factor_required')
      ? undefined
      : problem.has('second_factor_wrong')
        ? t('signIn.codeWrong')
        : problem.has('authentication_failed')
          ? t('signIn.wrong')
          : problemText(problem, t)

  return (
    <Center mih="100vh" p="md">
      <main>
        <form onSubmit={go}>
          <Stack w={340} maw="calc(100vw - 32px)" gap="md">
            <Stack gap={4}>
              <Logo size={40} />
              <Title order={1}>{title ?? t('signIn.title')}</Title>
              <Text c="dimmed">{lead ?? t('signIn.lead')}</Text>
            </Stack>
            {ended && <Alert color="gray">{t('signIn.ended')}</Alert>}
            {said !== undefined && (
              <Alert color="red" role="alert">
                {said}
              </Alert>
            )}
            <TextInput
              label={t('signIn.email')}
              type="email"
              name="email"
              autoComplete="username"
              dir="ltr"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <PasswordInput
              label={t('signIn.password')}
              name="password"
              autoComplete="current-password"
              dir="ltr"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            {asksCode && (
              <TextInput
                label={t('signIn.code')}
                name="code"
                autoComplete="one-time-code"
                inputMode="numeric"
                dir="ltr"
                autoFocus
                required
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
            )}
            <Button type="submit" loading={knock.isPending} fullWidth size="md">
              {t('signIn.go')}
            </Button>
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
