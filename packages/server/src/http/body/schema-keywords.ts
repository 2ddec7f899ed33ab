/** The JSON Schema keywords that readers of bodies are made from, as plain data. What they mean: packages/contract/src/body.ts. */
import type { Zone } from '../../core/zone.ts'

export type ReaderSettings = {
  /** In which a time without an offset is read. Needed by schemas that have times. */
  readonly zone?: Zone
  /** An address of the merchant's shop may be plain http on this machine. */
  readonly development?: boolean
}

export type Keywords = {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Keywords[]
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly required?: readonly string[]
  readonly items?: Keywords
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly patternProperties?: Readonly<Record<string, Keywords>>
  readonly propertyNames?: Keywords
  readonly pattern?: string
  readonly default?: unknown
  readonly 'x-invalid'?: string
  readonly 'x-trim'?: boolean
  readonly 'x-upper'?: boolean
  readonly 'x-distinct'?: boolean
  readonly 'x-least'?: string
}
