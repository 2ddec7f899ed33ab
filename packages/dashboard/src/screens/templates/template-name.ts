/** The name of a template: those that come with the service have one in each language. Other names stay as they are. Pure. */
import type { Translate } from '../../words/language.ts'
import type { templatesWords } from '../../words/screens/templates.ts'

const shipped = {
  Received: 'templates.shipped.received',
  'Received from a person': 'templates.shipped.fromPerson',
  'Received from a person, currency first': 'templates.shipped.fromPersonCurrency',
  Purchase: 'templates.shipped.purchase',
  Deposit: 'templates.shipped.deposit',
  'Transfer received': 'templates.shipped.transferIn',
  'Transfer sent': 'templates.shipped.transferOut',
  'Sent to a person': 'templates.shipped.toPerson',
  Paid: 'templates.shipped.paid',
  'Taken off': 'templates.shipped.takenOff',
  'Test payment': 'templates.shipped.test',
} as const

export const templateName = (
  { name, shared }: { readonly name: string; readonly shared: boolean },
  t: Translate<typeof templatesWords>,
): string => (shared && Object.hasOwn(shipped, name) ? t(shipped[name as keyof typeof shipped]) : name)
