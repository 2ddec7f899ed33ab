/** Sets the claimed payer of a waiting or expired intent: the name and the phone number that the buyer gives. */
import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import type { ShownIntent } from './intent.ts'

export const SetPayer = ({ intent }: { intent: ShownIntent }) => {
  const { t } = useWords(intentsWords)
  const { may } = useMe()
  const [open, setOpen] = useState(false)
  if (!['PENDING', 'EXPIRED'].includes(intent.status) || !may('intents.write')) return null
  return (
    <>
      <Button variant="transparent" px={0} mt={8} size="compact-sm" onClick={() => setOpen(true)}>
        {t(intent.payer === null ? 'payer.add' : 'payer.change')}
      </Button>
      {open && <PayerForm intent={intent} close={() => setOpen(false)} />}
    </>
  )
}

const PayerForm = ({ intent, close }: { intent: ShownIntent; close: () => void }) => {
  const { t } = useWords(intentsWords)
  const set = useApiMutation('setPayer', ['intent', 'alert'])
  const [name, setName] = useState(intent.payer?.name ?? '')
  const [phone, setPhone] = useState(intent.payer?.phone ?? '')
  const send = (): void => set.mutate({ path: { id: intent.id }, body: { name, phone } }, { onSuccess: close })
  return (
    <FormModal
      title={t('payer.title')}
      submitLabel={t('part.save')}
      call={set}
      fields={['name', 'phone']}
      send={send}
      close={close}
    >
      <Text c="dimmed">{t('payer.lead')}</Text>
      <PayerFields
        name={name}
        phone={phone}
        setName={setName}
        setPhone={setPhone}
        nameProblem={fieldProblem(set.error, 'name', t)}
        phoneProblem={fieldProblem(set.error, 'phone', t)}
      />
    </FormModal>
  )
}

export const PayerFields = (props: {
  name: string
  phone: string
  setName: (name: string) => void
  setPhone: (phone: string) => void
  nameProblem: string | undefined
  phoneProblem: string | undefined
}) => {
  const { t } = useWords(intentsWords)
  return (
    <>
      <TextInput
        label={t('payer.phone')}
        inputMode="tel"
        dir="ltr"
        maxLength={32}
        value={props.phone}
        onChange={(event) => props.setPhone(event.currentTarget.value)}
        error={props.phoneProblem}
      />
      <TextInput
        label={t('payer.name')}
        dir="auto"
        maxLength={100}
        value={props.name}
        onChange={(event) => props.setName(event.currentTarget.value)}
        error={props.nameProblem}
      />
    </>
  )
}
