/**
 * Writes sdks/php/src/Api.php, the objects of the API as array shapes of PHPStan, and sdks/php/src/ErrorCode.php. Pure.
 */
import { type Document, errorCodes, eventNames, type Field, namedShapes, type Shape } from './document-shapes.ts'

const typeOf = (shape: Shape, isQuery: boolean): string => {
  switch (shape.is) {
    case 'named':
      return shape.name
    case 'one of':
      return shape.values.map((value) => `'${value}'`).join('|')
    case 'list': {
      const list = `list<${typeOf(shape.of, isQuery)}>`
      return isQuery ? `${typeOf(shape.of, isQuery)}|${list}` : list
    }
    case 'by name':
      return `array<string, ${typeOf(shape.of, isQuery)}>`
    case 'any of':
      return shape.of.map((one) => typeOf(one, isQuery)).join('|')
    case 'object':
      return `array{${shape.fields.map((field) => fieldOf(field, isQuery)).join(', ')}}`
    case 'time':
      return isQuery ? 'string|\\DateTimeInterface' : 'string'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    default:
      return shape.is
  }
}

const fieldOf = ({ name, shape, isRequired }: Field, isQuery: boolean): string =>
  // The number of a page, or `last`.
  `${name}${isRequired ? '' : '?'}: ${isQuery && name === 'page' ? 'int|string' : typeOf(shape, isQuery)}`

const lines = (name: string, shape: Shape, isQuery: boolean): string => {
  if (shape.is !== 'object') return ` * @phpstan-type ${name} ${typeOf(shape, isQuery)}`
  const fields = shape.fields.map((field) => ` *   ${fieldOf(field, isQuery)},`)
  return [` * @phpstan-type ${name} array{`, ...fields, ' * }'].join('\n')
}

export const phpTypes = (documents: readonly Document[]): string => {
  const shapes = namedShapes(documents)
  return `<?php

declare(strict_types=1);

namespace Sanad;

/**
 * The objects of the API, as arrays with the fields of the OpenAPI documents. Written by \`npm run dumps\`: do not edit.
 *
${shapes.map(({ name, shape, isQuery }) => lines(name, shape, isQuery)).join('\n')}
 * @phpstan-type WebhookEvent ${eventNames(shapes).join('|')}
 */
final class Api
{
}
`
}

export const phpErrorCodes = (): string => `<?php

declare(strict_types=1);

namespace Sanad;

/** Every code that an error of the service can have. Written by \`npm run dumps\`: do not edit. */
final class ErrorCode
{
${errorCodes()
  .map((code) => `    public const ${code.toUpperCase()} = '${code}';`)
  .join('\n')}
}
`
