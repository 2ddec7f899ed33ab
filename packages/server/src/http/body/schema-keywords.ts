/** The JSON Schema keywords from which readers of bodies are built. packages/contract/src/body.ts explains them. */
import type { Zone } from '../../core/zone.ts'

export type ReaderSettings = {
  /** The zone of times without an offset. Required by schemas that have times. */
  readonly zone?: Zone
  /** Addresses of the merchant's shop may use http to this machine. */
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
