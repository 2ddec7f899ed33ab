/** Users as the server writes them: `Amal <amal@shop.example>`, or only a name. */

export const splitUser = (text: string): { readonly name: string; readonly address: string } => {
  const [, name = '', address = ''] = /^(.*?) ?<([^<>]*)>$/.exec(text) ?? [undefined, text, '']
  return { name, address }
}

/** The short name of a user: the name, or the address if there is no name. */
export const userName = (text: string): string => {
  const { name, address } = splitUser(text)
  return name || address
}
