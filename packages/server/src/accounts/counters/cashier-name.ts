/**
 * The name of a cashier without an address is all that the audit log and timelines have of them. So it must not read as somebody
 * else: not as a member with an address (`Amal <amal@shop.example>`), not as an API key, and not as what is done without a person.
 * Pure.
 */
const withoutPerson = ['clock', 'alert', 'reference', 'amount', 'checkout', 'the operator', 'operator', 'sanad']

export const readsAsSomebodyElse = (name: string): boolean =>
  /[<>]/.test(name) || /^key\s/i.test(name) || withoutPerson.includes(name.trim().toLowerCase())
