/** Schemas that most descriptions use, each written with its description first. */
import { type TObject, type TProperties, type TSchema, Type } from 'typebox'

type Closed = {
  <Fields extends TProperties>(fields: Fields): TObject<Fields>
  <Fields extends TProperties>(description: string, fields: Fields): TObject<Fields>
}

/** An object of an answer or an event: it has these fields and no others. */
export const closed: Closed = <Fields extends TProperties>(first: string | Fields, fields?: Fields) =>
  typeof first === 'string'
    ? Type.Object(fields!, { additionalProperties: false, description: first })
    : Type.Object(first, { additionalProperties: false })

/** An object of a request: what else it has is ignored, and hinted at. */
export const body = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { description })

export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
export const whole = (description: string) => Type.Integer({ description })

export const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** Closed objects in a list. */
export const listOf = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Array(closed(fields), { description })

export const closedOrNull = <Fields extends TProperties>(description: string, fields: Fields) =>
  orNull(closed(fields), description)
