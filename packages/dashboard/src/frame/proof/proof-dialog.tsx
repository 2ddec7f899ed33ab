/**
 * Asks the signed-in user to prove that it is them. It is the browser's own modal dialog: it lies above the dialogs of the screens,
 * which stay open with what was typed, and everything behind it is out of reach of keyboard and screen reader.
 */

import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import type { Me } from '@sanad/contract/dashboard/people/session'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Answer, call, ProblemAnswer } from '../../api/call.ts'
import { hasPasskeys, PasskeyNotUsed, proveWithPasskey } from '../../api/passkey.ts'
import { fieldProblem, problemText } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { proofWords } from '../../words/proof.ts'
import classes from './proof-dialog.module.css'

type Props = { readonly done: (proved: boolean) => void }
type Ways = Answer<'showProof'>['ways']

/** The library's dialogs behind this one listen to Escape on the whole page: this keeps them open. */
const keepsOthersOpen = { 'data-mantine-stop-propagation': 'true' }

const ProofDialog = ({ done }: Props) => {
  const [ways, setWays] = useState<Ways>()
  useEffect(() => {
    call('showProof').then(
      ({ ways }) => setWays(ways),
      // The call that waits shows that it was refused; or the sign-in page is shown.
      () => done(false),
    )
  }, [done])
  return ways === undefined ? null : <OpenDialog ways={ways} done={done} />
}

const OpenDialog = ({ ways, done }: Props & { readonly ways: Ways }) => {
  const { t } = useWords(proofWords)
  const me = useQueryClient().getQueryData<Me>(['showMe', null, null])
  const dialog = useRef<HTMLDialogElement>(null)
  const [given, setGiven] = useState('')
  const [problem, setProblem] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const way = ways.includes('password') ? 'password' : 'code'
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    return () => opened?.close()
  }, [])

  const prove = async (proof: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await proof()
      done(true)
    } catch (fault) {
      if (fault instanceof ProblemAnswer && fault.status === 401) return done(false)
      setProblem(fault as Error)
      setGiven('')
      setBusy(false)
    }
  }
  const send = (event: FormEvent): void => {
    event.preventDefault()
    void prove(() => call('proveSelf', { body: { [way]: given } }))
  }

  const error = fieldProblem(problem, way, t)
  const field = {
    label: t(way === 'password' ? 'proof.password' : 'proof.code'),
    name: way,
    dir: 'ltr' as const,
    required: true,
    value: given,
    onChange: (event: { currentTarget: { value: string } }) => setGiven(event.currentTarget.value),
    error,
    ...keepsOthersOpen,
  }
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby="proof-title"
      aria-describedby="proof-lead"
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault()
        done(false)
      }}
      {...keepsOthersOpen}
    >
      <form onSubmit={send}>
        <Stack>
          <h2 id="proof-title" className={classes.title}>
            {t('proof.title')}
          </h2>
          <Text id="proof-lead">{t(way === 'password' ? 'proof.leadPassword' : 'proof.leadCode')}</Text>
          {problem !== null && error === undefined && (
            <Alert color="red" role="alert">
              {problem instanceof PasskeyNotUsed ? t('proof.passkeyNone') : problemText(problem, t)}
            </Alert>
          )}
          {/* For password managers: whose password it is. */}
          <input hidden readOnly name="username" autoComplete="username" value={me?.user.email ?? ''} />
          {way === 'password' ? (
            <PasswordInput
              {...field}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('part.showPassword'), ...keepsOthersOpen }}
            />
          ) : (
            <TextInput {...field} autoComplete="one-time-code" inputMode="numeric" />
          )}
          {ways.includes('passkey') && hasPasskeys() && (
            <Button variant="default" disabled={busy} onClick={() => void prove(proveWithPasskey)} {...keepsOthersOpen}>
              {t('proof.passkey')}
            </Button>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => done(false)} {...keepsOthersOpen}>
              {t('part.cancel')}
            </Button>
            <Button type="submit" loading={busy} {...keepsOthersOpen}>
              {t('act.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </dialog>
  )
}

export default ProofDialog
