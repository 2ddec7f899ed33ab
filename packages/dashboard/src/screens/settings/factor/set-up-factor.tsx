/** Sets up the second factor: the password, then a QR code for the app, then a first code of the app. */
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApiMutation } from '../../../api/use-api.ts'
import { bindText } from '../../../parts/form/bind.ts'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { OldPassword } from '../../../parts/form/password-fields.tsx'
import { fieldProblem } from '../../../parts/form/problem.tsx'
import { Copyable } from '../../../parts/form/shown-once.tsx'
import { QrImage } from '../../../parts/format/qr-image.tsx'
import { Quiet } from '../../../parts/format/quiet.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

type Props = { readonly onSuccess: (answer: Answer<'confirmSecondFactor'>) => void; readonly close: () => void }

export const SetUpFactor = ({ onSuccess, close }: Props) => {
  const { t } = useWords(settingsWords)
  const begin = useApiMutation('beginSecondFactor', [])
  const [password, setPassword] = useState('')
  if (begin.data !== undefined) return <ConfirmFactor begun={begin.data} onSuccess={onSuccess} close={close} />
  return (
    <FormModal
      title={t('field.factor')}
      submitLabel={t('part.next')}
      call={begin}
      fields={['password']}
      send={() => begin.mutate({ body: { password } })}
      close={close}
    >
      <OldPassword value={password} set={setPassword} problem={begin.error} />
    </FormModal>
  )
}

const ConfirmFactor = ({ begun, onSuccess, close }: Props & { readonly begun: Answer<'beginSecondFactor'> }) => {
  const { t } = useWords(settingsWords)
  const confirm = useApiMutation('confirmSecondFactor', ['user', 'session'])
  const [code, setCode] = useState('')
  return (
    <FormModal
      title={t('field.factor')}
      submitLabel={t('act.switchOn')}
      call={confirm}
      fields={['code']}
      send={() => confirm.mutate({ body: { code } }, { onSuccess, onError: () => setCode('') })}
      close={close}
    >
      <Text>{t('you.factorScan')}</Text>
      <QrImage svg={begun.qr_svg} alt={t('you.factorPicture')} />
      <Copyable label={t('you.factorSecret')} value={begun.secret} />
      <TextInput
        label={t('you.factorCode')}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        dir="ltr"
        required
        data-autofocus
        {...bindText(code, setCode)}
        error={fieldProblem(confirm.error, 'code', t)}
      />
      <Quiet>{t('you.factorConfirmLead')}</Quiet>
    </FormModal>
  )
}
