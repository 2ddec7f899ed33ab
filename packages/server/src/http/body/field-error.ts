/** One error in a request: which field, a code for programs, a sentence for users. */
export type FieldError = { attr: string; code: string; detail: string }

/** The attr of an error in a value as a whole, not in one of its fields. */
export const NON_FIELD = 'non_field_errors'

/** The attr of a part: `price` inside `items.1` is `items.1.price`. */
export const inside = (attr: string, part: string | number): string => (attr === '' ? String(part) : `${attr}.${part}`)

/** Sorts errors by depth: those of the top level first. Errors of one depth stay in their order. */
export const outermostFirst = (errors: FieldError[]): FieldError[] =>
  errors.length < 2 ? errors : errors.toSorted((a, b) => depthOf(a.attr) - depthOf(b.attr))

const depthOf = (attr: string): number => attr.split('.').length
