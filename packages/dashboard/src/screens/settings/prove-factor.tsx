/** What needs the password and a code: new recovery codes, and switching the second factor off. */
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import type { Answer } from '../../api/call.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { OldPassword } from '../../parts/form/password-fields.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'

type Given =
  | { readonly to: 'renew'; readonly made: (answer: Answer<'renewRecoveryCodes'>) => void; readonly done: () => void }
  | { readonly to: 'end'; readonly made: () => void; readonly done: () => void }

export const ProveFactor = (given: Given) => {
  const { t } = useWords(settingsWords)
  const renew = useChange('renewRecoveryCodes', ['user'])
  const end = useChange('endSecondFactor', ['user', 'session'])
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { isPending, error } = given.to === 'renew' ? renew : end
  const send = (): void => {
    const body = { password, code }
    const onError = (): void => setCode('')
    if (given.to === 'renew') renew.mutate({ body }, { onSuccess: given.made, onError })
    else end.mutate({ body }, { onSuccess: given.made, onError })
  }
  return (
    <FormModal
      title={t(given.to === 'renew' ? 'you.codesNew' : 'you.factor')}
      go={t(given.to === 'renew' ? 'you.codesNew' : 'you.factorEnd')}
      danger={given.to === 'end'}
      busy={isPending}
      problem={error}
      fields={['password', 'code']}
      send={send}
      done={given.done}
    >
      <Text>{t(given.to === 'renew' ? 'you.codesNewLead' : 'you.factorEndLead')}</Text>
      <OldPassword value={password} set={setPassword} problem={error} />
      <TextInput
        label={t('signIn.code')}
        name="code"
        autoComplete="one-time-code"
        dir="ltr"
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={fieldProblem(error, 'code', t)}
      />
    </FormModal>
  )
}
