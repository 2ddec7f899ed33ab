/**
 * Fields of request bodies, described so that the server's reader and the OpenAPI document both come from the schema.
 *
 * Where JSON Schema has a keyword, it is used: `maxLength`, `minimum`, `maximum`, `minItems`, `maxItems`, `enum`, `default`.
 * `minLength` above 0 means "may not be blank"; its number is not checked here. These keywords are our own:
 *
 * - `format` names a rule of the reader, such as `amount` or `time-zone`; the server lists them in http/body/formats.ts.
 * - `x-invalid` is the sentence for a text that does not match `pattern`.
 * - `x-trim: false`: white space at the ends is part of the text. All other texts are trimmed.
 * - `x-upper: true`: letters are stored in upper case.
 * - `x-distinct: true`: of equal list elements only the first is kept.
 * - `x-least` is the least amount that a field of the format `amount` may have.
 */
import { type TOptional, type TRecord, type TSchema, type TString, Type } from 'typebox'
import { orNull } from './schema.ts'

export type AmountField = TString & { readonly format: 'amount' }
export type InstantField = TString & { readonly format: 'date-time' }
export type HeadersField = TRecord & { readonly format: 'header-changes' }

/** Money as a client sends it: a decimal text, or a number, which is read by its digits. */
export const sentAmount = (description: string, least = '0'): AmountField =>
  Type.String({
    format: 'amount',
    pattern: '^\\d{1,12}(\\.\\d{1,2})?$',
    'x-least': least,
    description,
    examples: ['9500.00'],
  }) as AmountField

/** A point in time: ISO 8601, or a Unix time in seconds or milliseconds. */
export const sentInstant = (description: string): InstantField =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-02T06:04:05+03:00'] }) as InstantField

/** Names and values of HTTP headers; null as a value removes that header. */
export const sentHeaders = (description: string): HeadersField =>
  Type.Record(Type.String(), orNull(Type.String()), {
    format: 'header-changes',
    maxProperties: 50,
    description,
  }) as unknown as HeadersField

export type TextsField = TRecord & { readonly format: 'texts-by-name' }

/** The client's own texts by name: at most `mostTexts`, with names and texts of limited length. */
export const sentTexts = (
  mostTexts: number,
  longestName: number,
  longestText: number,
  description: string,
): TextsField =>
  Type.Record(Type.String(), Type.String({ maxLength: longestText }), {
    format: 'texts-by-name',
    maxProperties: mostTexts,
    propertyNames: { minLength: 1, maxLength: longestName },
    description,
  }) as unknown as TextsField

/** A field that may be left out, and is then read as if `value` had been sent. */
export const withDefault = <S extends TSchema, const D>(schema: S, value: D): TOptional<S> & { readonly default: D } =>
  Object.assign(Type.Optional(schema), { default: value }) as never

/** A password or another text in which a space counts. */
export const untrimmed = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, 'x-trim': false, ...(description === undefined ? {} : { description }) })
