/** A name for something new, or another one for something that is there. */
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../words/language.ts'
import { FormModal } from './form-modal.tsx'
import { fieldProblem } from './problem.tsx'

export const NameModal = (given: {
  title: string
  /** What the button does, in words. */
  go: string
  label: string
  lead?: string
  /** What it is called now. */
  now?: string
  busy: boolean
  problem: Error | null
  send: (name: string) => void
  done: () => void
}) => {
  const { t } = useWords()
  const [name, setName] = useState(given.now ?? '')
  return (
    <FormModal
      title={given.title}
      go={given.go}
      busy={given.busy}
      problem={given.problem}
      fields={['name']}
      send={() => given.send(name)}
      done={given.done}
    >
      <TextInput
        label={given.label}
        description={given.lead}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={fieldProblem(given.problem, 'name', t)}
      />
    </FormModal>
  )
}
