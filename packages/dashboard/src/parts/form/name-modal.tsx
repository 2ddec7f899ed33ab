/** A dialog that asks for a name: of a new record, or a new name of an existing one. */
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../words/language.ts'
import { FormModal } from './form-modal.tsx'
import { fieldProblem } from './problem.tsx'

export const NameModal = (props: {
  title: string
  /** The label of the button. */
  go: string
  label: string
  lead?: string
  /** The current name. */
  now?: string
  busy: boolean
  problem: Error | null
  send: (name: string) => void
  done: () => void
}) => {
  const { t } = useWords()
  const [name, setName] = useState(props.now ?? '')
  return (
    <FormModal
      title={props.title}
      go={props.go}
      busy={props.busy}
      problem={props.problem}
      fields={['name']}
      send={() => props.send(name)}
      done={props.done}
    >
      <TextInput
        label={props.label}
        description={props.lead}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldProblem(props.problem, 'name', t)}
      />
    </FormModal>
  )
}
