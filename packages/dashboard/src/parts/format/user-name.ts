/** The short name of a user: the name in `Amal <amal@shop.example>`, or the address where there is none. */
export const userName = (text: string): string => {
  const [, name, address] = /^(.*?) ?<([^<>]*)>$/.exec(text) ?? [undefined, text, '']
  return name || address || ''
}
