/** What is wrong with the installation, and the cure: what `sanad doctor` says, for the operator's page. */
import { Type } from 'typebox'
import { findingLevels } from '../../finding-texts.ts'
import { operation } from '../../operation.ts'
import { oneOf, timestamp } from '../../scalars.ts'
import { closed, orNull, text } from '../../schema.ts'

const Finding = closed('One thing that was looked at.', {
  part: text('What was looked at, such as `disk`. The guide for operators lists them.'),
  level: oneOf(
    [...findingLevels],
    'wrong: something does not work or will fail. warning: it works, and somebody should know.',
  ),
  kind: text('A word for exactly this finding, for translations.'),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'The figures and names in the sentence.',
  }),
  says: text('The finding as an English sentence.'),
  cure: orNull(Type.String(), 'What to do, in English; null: nothing.'),
})

export const Findings = closed('What is wrong with the installation.', {
  at: timestamp('When the installation was examined.'),
  host: text('The machine of the node that answered: memory, disk, key and settings are those of it.'),
  version: text('The version of Sanad on that node.'),
  level: oneOf([...findingLevels], 'The worst level of all findings.'),
  findings: Type.Array(Finding, { description: 'Every part that was looked at, also those without a fault.' }),
})

export const showFindings = operation({
  id: 'showFindings',
  method: 'GET',
  path: '/operator/findings/',
  access: 'operator',
  tag: 'Operators',
  summary: 'What is wrong with the installation, and what to do: as `sanad doctor`',
  description:
    'Whether the public address answers and the mail server accepts the service is tried at most once a minute, each for five seconds.',
  answer: Findings,
})

export const findingOperations = [showFindings]
