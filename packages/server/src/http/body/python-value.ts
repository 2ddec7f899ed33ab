/**
 * A JSON value as the dialect's error messages show it: `True`, `None`, `['YER']`, `{'a': 1}`. The rules for text are
 * in `core/python-text.ts`.
 */
import { floatText, quoted } from '../../core/python-text.ts'
import { isList, isObject, type Json, JsonNumber } from './json.ts'

/** The value as Python's `str` writes it. */
export const pythonText = (value: Json): string => (typeof value === 'string' ? value : pythonRepr(value))

const pythonRepr = (value: Json): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof JsonNumber) return numberText(value)
  if (isList(value)) return `[${value.map(pythonRepr).join(', ')}]`
  return `{${[...value].map(([name, member]) => `${quoted(name)}: ${pythonRepr(member)}`).join(', ')}}`
}

const numberText = (number: JsonNumber): string => {
  if (!number.isInteger) return floatText(Number(number.source))
  return number.source === '-0' ? '0' : number.source
}

export const typeName = (value: Json): string => {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (value instanceof JsonNumber) return value.isInteger ? 'int' : 'float'
  return isObject(value) ? 'dict' : 'list'
}
