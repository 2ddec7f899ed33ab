/**
 * The fields of a body that its call does not know, found by the contract's schema of the body. They are ignored, as the
 * specification says; an answer names them. Pure, and cheap for a body that has known fields only: they are counted.
 */
import type { TSchema } from 'typebox'
import { isList, isObject, type Json, type JsonObject } from '../body/json.ts'

/** The known fields of an object, or of each object of a list; undefined: a value without known fields of its own. */
export type KnownFields = ReadonlyMap<string, KnownFields | undefined>

type Keywords = {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
}

export const knownFields = (schema: TSchema): KnownFields | undefined => {
  const { properties, items } = schema as Keywords
  if (items !== undefined) return knownFields(items)
  if (properties === undefined) return undefined
  return new Map(Object.entries(properties).map(([name, inner]) => [name, knownFields(inner)]))
}

const none: readonly string[] = []
/** Whether every field is known, and none has fields of its own. */
const isPlain = (body: JsonObject, known: KnownFields): boolean => {
  let left = body.size
  for (const name of namesOf(known)) {
    if (!body.has(name)) continue
    if (known.get(name) !== undefined) return false
    left--
  }
  return left === 0
}

const namesByFields = new WeakMap<KnownFields, readonly string[]>()

const namesOf = (known: KnownFields): readonly string[] => {
  const stored = namesByFields.get(known)
  if (stored !== undefined) return stored
  const names = [...known.keys()]
  namesByFields.set(known, names)
  return names
}

/** More are not looked for: an answer names ten. */
const most = 11

/** The paths of the unknown fields, such as `order_id` or `items.0.sku`, at most eleven. */
export const ignoredFields = (body: Json, known: KnownFields): readonly string[] => {
  if (!isObject(body) || isPlain(body, known)) return none
  let found: string[] | undefined
  for (const [name, value] of body) {
    if (found !== undefined && found.length >= most) break
    if (!known.has(name)) {
      found ??= []
      found.push(name)
      continue
    }
    const inner = known.get(name)
    if (inner === undefined || value === null) continue
    if (isObject(value)) found = withInner(found, ignoredFields(value, inner), name)
    else if (isList(value))
      for (let index = 0; index < value.length && (found?.length ?? 0) < most; index++)
        found = withInner(found, ignoredFields(value[index]!, inner), `${name}.${index}`)
  }
  return found ?? none
}

const withInner = (found: string[] | undefined, inner: readonly string[], path: string): string[] | undefined => {
  if (inner.length === 0) return found
  const all = found ?? []
  for (const name of inner) if (all.length < most) all.push(`${path}.${name}`)
  return all
}
