/**
 * Fields of queries, described so that the server's reader, the OpenAPI document and the types of clients all come from the
 * schema. Where JSON Schema has a keyword, it is used: `maxLength`, `minimum`, `maximum`, `enum`, `default`. How the text of
 * the parameter is read is named by `x-query`, which is not published:
 *
 * - `choices`: values separated by commas, each one of `items.enum`. `flag`: true only as `1`.
 * - `text`: exactly this text. `id`: a UUID. `search`: words that must all occur.
 * - `after`, `before`, `until`: a time. A row at `after` or `before` is found, one at `until` is not. The handler of a `before`
 *   or `until` receives the first instant that is outside.
 * - `ordering`: field names separated by commas, a leading `-` reverses; unknown ones are ignored.
 * - `page_size`: a number above `maximum` counts as `maximum`, an unusable one as `default`. `page`: a number from 1, or `last`.
 * - `cursor`: the `next` of the page before.
 *
 * A schema without `x-query` that has an `enum` is one of its values; any other is a text that the handler reads.
 */
import { type TSchema, type TUnsafe, Type } from 'typebox'
import { textOf } from './scalars.ts'

export type QueryRule =
  | 'choices'
  | 'flag'
  | 'text'
  | 'id'
  | 'search'
  | 'after'
  | 'before'
  | 'until'
  | 'ordering'
  | 'page_size'
  | 'page'
  | 'cursor'

/** `Sent` is what a client sends, `Read` what a handler receives. `~read` exists only as a type. */
export interface QueryField<Sent = unknown, Read = unknown> extends TUnsafe<Sent> {
  readonly 'x-query': QueryRule
  readonly '~read': Read
}

const asField = <Sent, Read>(schema: TSchema): QueryField<Sent, Read> => schema as never

export const choicesField = <Value extends string>(choice: TUnsafe<Value>) =>
  asField<Value[], readonly Value[] | undefined>(Type.Array(choice, { 'x-query': 'choices' }))

export const flagField = () => asField<'1', boolean>(textOf(['1'], { 'x-query': 'flag' }))

export const textFilter = (maxLength?: number) =>
  asField<string, string | undefined>(
    Type.String({ ...(maxLength === undefined ? {} : { maxLength }), 'x-query': 'text' }),
  )

export const idFilter = () => asField<string, string | undefined>(Type.String({ format: 'uuid', 'x-query': 'id' }))

/** The handler receives milliseconds since 1970. */
export const instantFilter = (side: 'after' | 'before' | 'until') =>
  asField<string, number | undefined>(Type.String({ format: 'date-time', 'x-query': side }))

/** The handler receives the words; none: no filter. */
export const searchField = () => asField<string, readonly string[]>(Type.String({ 'x-query': 'search' }))

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

export const afterField = () =>
  asField<string, string | undefined>(Type.String({ maxLength: 1000, 'x-query': 'cursor' }))
