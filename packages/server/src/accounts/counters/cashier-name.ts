/**
 * The name of a cashier without an address is all that the audit log and timelines have of them. So it must not read as somebody
 * else: not as a member with an address (`Amal <amal@shop.example>`), not as an API key, and not as what is done without a person.
 * Pure.
 */
import { visibleText } from '../../core/plain-name.ts'

const withoutPerson = ['clock', 'alert', 'reference', 'amount', 'checkout', 'the operator', 'operator', 'sanad']

export const readsAsSomebodyElse = (name: string): boolean => {
  const read = visibleText(name).trim().toLowerCase()
  return /[<>]/.test(read) || /^key\s/.test(read) || withoutPerson.includes(read)
}
