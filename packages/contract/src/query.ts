/**
 * Fields of queries, described so that the server's reader, the OpenAPI document and the types of clients all come from the
 * schema. Where JSON Schema has a keyword, it is used: `maxLength`, `minimum`, `maximum`, `enum`, `default`. How the text of
 * the parameter is read is named by `x-query`, which is not published:
 *
 * - `choices`: values separated by commas, each one of `items.enum`. `choice`: one of `enum`. `flag`: true only as `1`.
 * - `text`: exactly this text. `id`: a UUID. `amount`: money. `search`: words that must all occur; an error names no field, as the
 *   dialect has it. `words`: the same with its field.
 * - `after`, `before`, `until`: a time. A row at `after` or `before` is found, one at `until` is not. The handler of a `before`
 *   or `until` receives the first instant that is outside.
 * - `ordering`: field names separated by commas, a leading `-` reverses; unknown ones are ignored.
 * - `page_size`: a number above `maximum` counts as `maximum`, an unusable one as `default`. `page`: a number from 1, or `last`.
 * - `cursor`: the `next` of the page before: the values of `x-cursor` of its last row, or else its id. `time_cursor`: its time and
 *   its id.
 * - `needed_id`: as `id`, and required. `day`: a date such as `2026-01-02`. `raw`: a text that the handler reads.
 *
 * A schema without `x-query` is a `choice` if it has an `enum`, or else `raw`. `x-invalid` is the sentence of a wrong value, in
 * which `{value}` is what was sent.
 */
import { type TSchema, type TUnsafe, Type } from 'typebox'
import { textOf } from './scalars.ts'

export type QueryRule =
  | 'choices'
  | 'choice'
  | 'flag'
  | 'text'
  | 'id'
  | 'amount'
  | 'search'
  | 'words'
  | 'after'
  | 'before'
  | 'until'
  | 'ordering'
  | 'page_size'
  | 'page'
  | 'cursor'
  | 'time_cursor'
  | 'needed_id'
  | 'day'
  | 'raw'

/** `Sent` is what a client sends, `Read` what a handler receives. `~read` exists only as a type. */
export interface QueryField<Sent = unknown, Read = unknown> extends TUnsafe<Sent> {
  readonly 'x-query': QueryRule
  readonly '~read': Read
}

const asField = <Sent, Read>(schema: TSchema): QueryField<Sent, Read> => schema as never

export const choicesField = <Value extends string>(choice: TUnsafe<Value>) =>
  asField<Value[], readonly Value[] | undefined>(Type.Array(choice, { 'x-query': 'choices' }))

export const flagField = () => asField<'1', boolean>(textOf(['1'], { 'x-query': 'flag' }))

/** One of these, with a sentence of its own for any other. */
export const choiceField = <const Value extends string>(values: readonly Value[], detail: string) =>
  asField<Value, Value | undefined>(textOf(values, { 'x-query': 'choice', 'x-invalid': detail }))

/** One of these, which the error lists. */
export const listedField = <const Value extends string>(values: readonly Value[]) =>
  choiceField(values, `"{value}" is not one of ${values.join(', ')}.`)

export const textFilter = (maxLength?: number) =>
  asField<string, string | undefined>(
    Type.String({ ...(maxLength === undefined ? {} : { maxLength }), 'x-query': 'text' }),
  )

export const idFilter = () => asField<string, string | undefined>(Type.String({ format: 'uuid', 'x-query': 'id' }))

/** The handler receives the text, and reads the number itself. */
export const wholeNumber = (range: { readonly minimum: number; readonly maximum: number }) =>
  asField<number, string | undefined>(Type.Integer({ ...range, 'x-query': 'raw' }))

export const neededId = () => asField<string, string>(Type.String({ format: 'uuid', 'x-query': 'needed_id' }))

/** The handler receives the date with digits of one script. */
export const dayFilter = () => asField<string, string | undefined>(Type.String({ 'x-query': 'day' }))

/** The handler receives milliseconds since 1970. */
export const instantFilter = (side: 'after' | 'before' | 'until') =>
  asField<string, number | undefined>(Type.String({ format: 'date-time', 'x-query': side }))

/** The handler receives minor units. */
export const amountFilter = () => asField<string, bigint | undefined>(Type.String({ 'x-query': 'amount' }))

/** The handler receives the words; none: no filter. */
export const searchField = (rule: 'search' | 'words' = 'search') =>
  asField<string, readonly string[]>(Type.String({ 'x-query': rule }))

export type Ordering<Field extends string> = { readonly field: Field; readonly down: boolean }

export const orderingField = <const Field extends string>(
  fields: readonly Field[],
  usual: NoInfer<Field | `-${Field}`>,
) =>
  asField<(Field | `-${Field}`)[], readonly Ordering<Field>[]>(
    Type.Array(textOf([...fields, ...fields.map((field) => `-${field}`)]), { default: [usual], 'x-query': 'ordering' }),
  )

export type PageSizes = { readonly usual: number; readonly largest: number }

/** Lists whose pages are numbered. */
export const numberedPages: PageSizes = { usual: 20, largest: 100 }
/** Lists that go on from the `next` of the page before. */
export const cursorPages: PageSizes = { usual: 50, largest: 200 }

export const pageSizeField = ({ usual, largest }: PageSizes) =>
  asField<number, number>(Type.Integer({ minimum: 1, maximum: largest, default: usual, 'x-query': 'page_size' }))

export const pageField = () =>
  asField<number | 'last', number | 'last'>(
    Type.Union([Type.Integer({ minimum: 1 }), textOf(['last'])], { default: 1, 'x-query': 'page' }),
  )

export type CursorPart = 'text' | 'uuid' | 'number'
type CursorValue<Part> = Part extends 'number' ? number : string
type Cursor<Parts extends readonly CursorPart[]> = Parts extends readonly []
  ? string
  : { -readonly [I in keyof Parts]: CursorValue<Parts[I]> }

/** `parts`: what the list is sorted by; none: by the id alone, which is the cursor as it is. */
export const afterField = <const Parts extends readonly CursorPart[]>(parts: Parts, detail?: string) =>
  asField<string, Cursor<Parts> | undefined>(
    Type.String({
      maxLength: 1000,
      'x-query': 'cursor',
      ...(parts.length === 0 ? {} : { 'x-cursor': parts }),
      ...(detail === undefined ? {} : { 'x-invalid': detail }),
    }),
  )

/** For a list that is sorted by a time of the rows, and then by their ids. */
export const afterTimeField = () =>
  asField<string, readonly [at: number, id: string] | undefined>(
    Type.String({ maxLength: 1000, 'x-query': 'time_cursor' }),
  )
