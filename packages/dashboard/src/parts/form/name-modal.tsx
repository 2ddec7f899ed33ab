/** A dialog that asks for a name: of a new record, or a new name of an existing one. */
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../words/language.ts'
import { bindText } from './bind.ts'
import type { CallState } from './call-state.ts'
import { FormModal } from './form-modal.tsx'
import { fieldProblem } from './problem.tsx'

export const NameModal = (props: {
  title: string
  submitLabel: string
  label: string
  lead?: string
  currentName?: string
  call: CallState
  send: (name: string) => void
  close: () => void
}) => {
  const { t } = useWords()
  const [name, setName] = useState(props.currentName ?? '')
  return (
    <FormModal
      title={props.title}
      submitLabel={props.submitLabel}
      call={props.call}
      fields={['name']}
      send={() => props.send(name)}
      close={props.close}
    >
      <TextInput
        label={props.label}
        description={props.lead}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        {...bindText(name, setName)}
        error={fieldProblem(props.call.error, 'name', t)}
      />
    </FormModal>
  )
}
