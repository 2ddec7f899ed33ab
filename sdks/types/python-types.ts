/** Writes sdks/python/src/sanad/api.py: the objects of the API as TypedDicts, and the codes of errors. Pure. */
import {
  type Document,
  errorCodes,
  eventNames,
  type Field,
  type NamedShape,
  namedShapes,
  type Shape,
} from './document-shapes.ts'

const typeOf = (shape: Shape, isQuery: boolean): string => {
  switch (shape.is) {
    case 'named':
      return shape.name
    case 'one of':
      return `Literal[${shape.values.map((value) => `"${value}"`).join(', ')}]`
    case 'list': {
      const one = typeOf(shape.of, isQuery)
      return isQuery ? `Union[${one}, Sequence[${one}]]` : `List[${one}]`
    }
    case 'by name':
      return `Dict[str, ${typeOf(shape.of, isQuery)}]`
    case 'any of': {
      const [first, second] = shape.of
      if (shape.of.length === 2 && second!.is === 'null') return `Optional[${typeOf(first!, isQuery)}]`
      return `Union[${shape.of.map((one) => typeOf(one, isQuery)).join(', ')}]`
    }
    case 'object':
      return shape.fields.length === 0 ? 'Dict[str, object]' : 'Dict[str, Any]'
    case 'string':
      return 'str'
    case 'time':
      return isQuery ? 'Union[str, datetime]' : 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    default:
      return 'None'
  }
}

const comment = (text: string): string[] => (text === '' ? [] : [`    # ${text}`])

const fieldOf = ({ name, shape, text }: Field, isQuery: boolean): string[] => [
  ...comment(text),
  // The number of a page, or "last".
  `    ${name}: ${isQuery && name === 'page' ? 'Union[int, str]' : typeOf(shape, isQuery)}`,
]

const classOf = (header: string, text: string, fields: readonly Field[], isQuery: boolean): string =>
  [header, `    """${text}"""`, '', ...fields.flatMap((field) => fieldOf(field, isQuery))].join('\n')

const definition = ({ name, shape, text, isQuery }: NamedShape): string => {
  if (shape.is !== 'object') return [`# ${text}`, `${name} = ${typeOf(shape, isQuery)}`].join('\n')
  const required = shape.fields.filter(({ isRequired }) => isRequired)
  const optional = shape.fields.filter(({ isRequired }) => !isRequired)
  if (optional.length === 0) return classOf(`class ${name}(TypedDict):`, text, required, isQuery)
  const header = `class ${name}(${required.length === 0 ? 'TypedDict' : `_${name}`}, total=False):`
  const base =
    required.length === 0
      ? []
      : [classOf(`class _${name}(TypedDict):`, `What ${name} must have.`, required, isQuery), '', '']
  return [...base, classOf(header, text, optional, isQuery)].join('\n')
}

/** A type comes after those that it names. */
const inOrder = (shapes: readonly NamedShape[]): NamedShape[] => {
  const byName = new Map(shapes.map((one) => [one.name, one]))
  const done = new Set<NamedShape>()
  const visit = (shape: Shape): void => {
    if (shape.is === 'named') add(byName.get(shape.name)!)
    else if (shape.is === 'list' || shape.is === 'by name') visit(shape.of)
    else if (shape.is === 'any of') for (const one of shape.of) visit(one)
    else if (shape.is === 'object') for (const field of shape.fields) visit(field.shape)
  }
  const add = (named: NamedShape): void => {
    if (done.has(named)) return
    visit(named.shape)
    done.add(named)
  }
  for (const shape of shapes) add(shape)
  return [...done]
}

export const pythonTypes = (documents: readonly Document[]): string => {
  const shapes = namedShapes(documents)
  const all = [...shapes.map(({ name }) => name), 'ErrorCode', 'WebhookEvent'].sort()
  return `"""The objects of the API, with the fields of the OpenAPI documents. Written by \`npm run dumps\`: do not edit."""

from datetime import datetime
from typing import Dict, List, Literal, Optional, Sequence, TypedDict, Union

__all__ = [
${all.map((name) => `    "${name}",`).join('\n')}
]

${inOrder(shapes).map(definition).join('\n\n\n')}


# An endpoint gets some kinds by default, and every other only if it subscribes to it.
WebhookEvent = Union[
${eventNames(shapes)
  .map((name) => `    ${name},`)
  .join('\n')}
]

# Every code that an error of the service can have.
ErrorCode = Literal[
${errorCodes()
  .map((code) => `    "${code}",`)
  .join('\n')}
]
`
}
