/** Reads the additional headers of an endpoint: an object of header names and values, with null to remove a header. */
import { type HeaderChanges, headerNameFault, headerValueFault } from '../../webhooks/calling/custom-headers.ts'
import { type FieldError, inside, NON_FIELD } from './field-error.ts'
import type { Kind, Reading } from './fields.ts'
import { isObject, type Json } from './json.ts'
import { typeName } from './python-value.ts'

type Fault = { readonly code: string; readonly detail: string }

const valueFault = (value: Json): Fault | undefined => {
  if (value === null) return undefined
  return typeof value === 'string' ? headerValueFault(value) : { code: 'invalid', detail: 'Not a valid string.' }
}

export const headerChanges =
  (most: number): Kind<HeaderChanges> =>
  (value, attr) => {
    const no = (code: string, detail: string): Reading<never> => ({
      kind: 'no',
      errors: [{ attr: inside(attr, NON_FIELD), code, detail }],
    })
    if (!isObject(value)) return no('invalid', `Expected a dictionary, but got ${typeName(value)}.`)
    if (value.size > most) return no('max_length', `Ensure this field has no more than ${most} elements.`)
    const errors: FieldError[] = []
    const headers = new Map<string, string | null>()
    const names = new Set<string>()
    for (const [name, sent] of value) {
      const isTwice = names.has(name.toLowerCase())
      const fault =
        headerNameFault(name) ??
        (isTwice ? { code: 'invalid', detail: `The header ${name} is there twice.` } : valueFault(sent))
      names.add(name.toLowerCase())
      if (fault !== undefined) errors.push({ attr: inside(attr, name.slice(0, 100)), ...fault })
      else if (sent === null || typeof sent === 'string') headers.set(name, sent)
    }
    return errors.length === 0 ? { kind: 'ok', value: headers } : { kind: 'no', errors }
  }
