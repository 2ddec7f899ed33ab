/** JSON text indented; a text that is not JSON is shown as it is. */
export const indentedJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
