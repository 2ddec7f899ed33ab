/** Somebody as people call them: of `Amal <amal@shop.example>` the name, or the address where there is none. */
export const userName = (said: string): string => {
  const [, name, address] = /^(.*?) ?<([^<>]*)>$/.exec(said) ?? [undefined, said, '']
  return name || address || ''
}
