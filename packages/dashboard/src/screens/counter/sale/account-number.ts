/** An account number in groups, to be read over a counter. Pure. */

/** `771000001` as `771 000 001`. A number that has letters or separators of its own stays as it is. */
export const groupedNumber = (number: string): string => {
  if (!/^\d{6,}$/.test(number)) return number
  // A rest of one digit joins the group before it: 4 digits are read as easily as 3.
  return number.replaceAll(/\d{3}(?=\d{2,})/g, '$& ')
}
