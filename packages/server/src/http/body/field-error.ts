/** One error in a request: which field, a code for programs, a sentence for users. */
export type FieldError = { attr: string; code: string; detail: string }

/** The attr of an error in a value as a whole, not in one of its fields. */
export const NON_FIELD = 'non_field_errors'

/** The name of a part inside its whole: `price` inside `items.1` is `items.1.price`. */
export const inside = (attr: string, part: string | number): string => (attr === '' ? String(part) : `${attr}.${part}`)

/** Top-level entries first, nested ones last; entries of one depth stay in the order in which they were found. */
export const outermostFirst = (errors: FieldError[]): FieldError[] =>
  errors.length < 2 ? errors : errors.toSorted((a, b) => depthOf(a.attr) - depthOf(b.attr))

const depthOf = (attr: string): number => attr.split('.').length
