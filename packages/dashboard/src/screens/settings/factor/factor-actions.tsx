/** Actions that need the password and a code: new recovery codes, and switching the second factor off. */
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApiMutation } from '../../../api/use-api.ts'
import { bindText } from '../../../parts/form/bind.ts'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { OldPassword } from '../../../parts/form/password-fields.tsx'
import { fieldProblem } from '../../../parts/form/problem.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

type Props =
  | {
      readonly to: 'renew'
      readonly onSuccess: (answer: Answer<'renewRecoveryCodes'>) => void
      readonly close: () => void
    }
  | { readonly to: 'end'; readonly onSuccess: () => void; readonly close: () => void }

export const FactorActions = (props: Props) => {
  const { t } = useWords(settingsWords)
  const renew = useApiMutation('renewRecoveryCodes', ['user'])
  const end = useApiMutation('endSecondFactor', ['user', 'session'])
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const call = props.to === 'renew' ? renew : end
  const send = (): void => {
    const body = { password, code }
    const onError = (): void => setCode('')
    if (props.to === 'renew') renew.mutate({ body }, { onSuccess: props.onSuccess, onError })
    else end.mutate({ body }, { onSuccess: props.onSuccess, onError })
  }
  return (
    <FormModal
      title={t(props.to === 'renew' ? 'you.codesNew' : 'field.factor')}
      submitLabel={t(props.to === 'renew' ? 'you.codesNew' : 'act.switchOff')}
      danger={props.to === 'end'}
      call={call}
      fields={['password', 'code']}
      send={send}
      close={props.close}
    >
      <Text>{t(props.to === 'renew' ? 'you.codesNewLead' : 'you.factorEndLead')}</Text>
      <OldPassword value={password} set={setPassword} problem={call.error} />
      <TextInput
        label={t('signIn.code')}
        name="code"
        autoComplete="one-time-code"
        dir="ltr"
        required
        {...bindText(code, setCode)}
        error={fieldProblem(call.error, 'code', t)}
      />
    </FormModal>
  )
}
