/** Dialogs about cashiers: a new one with a name and a PIN, another PIN, another name. A PIN is typed twice. */
import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApiMutation } from '../../../api/use-api.ts'
import { bindText } from '../../../parts/form/bind.ts'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { NameModal } from '../../../parts/form/name-modal.tsx'
import { fieldProblem } from '../../../parts/form/problem.tsx'
import { useWords } from '../../../words/language.ts'
import { cashierWords } from '../../../words/till.ts'

type Member = Answer<'listMembers'>[number]
type Pins = { readonly pin: string; readonly again: string }

const PinFields = ({
  pins,
  setPins,
  problem,
}: {
  pins: Pins
  setPins: (pins: Pins) => void
  problem: Error | null
}) => {
  const { t } = useWords(cashierWords)
  const common = {
    required: true,
    inputMode: 'numeric',
    autoComplete: 'off',
    maxLength: 6,
    dir: 'ltr',
    visibilityToggleButtonProps: { 'aria-label': t('part.showPassword') },
  } as const
  return (
    <>
      <PasswordInput
        {...common}
        label={t('cashier.pin')}
        value={pins.pin}
        onChange={(event) => setPins({ ...pins, pin: event.currentTarget.value })}
        error={fieldProblem(problem, 'pin', t)}
      />
      <PasswordInput
        {...common}
        label={t('cashier.pinAgain')}
        value={pins.again}
        onChange={(event) => setPins({ ...pins, again: event.currentTarget.value })}
        error={pins.again.length >= pins.pin.length && pins.again !== pins.pin && t('cashier.pinsDiffer')}
      />
    </>
  )
}

const areReady = ({ pin, again }: Pins): boolean => pin.length === 6 && pin === again

export const AddCashier = ({ close }: { close: () => void }) => {
  const { t } = useWords(cashierWords)
  const add = useApiMutation('addCashier', ['member'])
  const [name, setName] = useState('')
  const [pins, setPins] = useState<Pins>({ pin: '', again: '' })
  return (
    <FormModal
      title={t('cashier.add')}
      submitLabel={t('cashier.add')}
      ready={areReady(pins)}
      call={add}
      fields={['name', 'pin']}
      send={() => add.mutate({ body: { name, pin: pins.pin } }, { onSuccess: close })}
      close={close}
    >
      <Text>{t('cashier.addLead')}</Text>
      <TextInput
        label={t('field.name')}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        {...bindText(name, setName)}
        error={fieldProblem(add.error, 'name', t)}
      />
      <PinFields pins={pins} setPins={setPins} problem={add.error} />
    </FormModal>
  )
}

export const SetPin = ({ member, close }: { member: Member; close: () => void }) => {
  const { t } = useWords(cashierWords)
  const set = useApiMutation('setPin', ['member', 'counter'])
  const [pins, setPins] = useState<Pins>({ pin: '', again: '' })
  return (
    <FormModal
      title={t('cashier.pinTitle', { name: member.name || member.email })}
      submitLabel={t(member.pin === null ? 'cashier.setPin' : 'cashier.newPin')}
      ready={areReady(pins)}
      call={set}
      fields={['pin']}
      send={() => set.mutate({ path: { id: member.id }, body: { pin: pins.pin } }, { onSuccess: close })}
      close={close}
    >
      <Text>{t('cashier.pinLead')}</Text>
      <PinFields pins={pins} setPins={setPins} problem={set.error} />
    </FormModal>
  )
}

export const RenameCashier = ({ member, close }: { member: Member; close: () => void }) => {
  const { t } = useWords(cashierWords)
  const rename = useApiMutation('renameCashier', ['member'])
  return (
    <NameModal
      title={t('cashier.renameTitle', { name: member.name })}
      submitLabel={t('part.rename')}
      label={t('field.name')}
      currentName={member.name}
      call={rename}
      send={(name) => rename.mutate({ path: { id: member.id }, body: { name } }, { onSuccess: close })}
      close={close}
    />
  )
}
