/**
 * A query whose rows stay the text that PostgreSQL sent, in the order of the columns. Each statement knows its columns and reads
 * them itself (a test checks them against the database). The driver's own result objects are not built.
 *
 * It overrides methods of the driver's query class, which the driver calls by name; every test with a database would notice if
 * that changed. Measured, processor time of both sides together: reading one intent costs 11 % less
 * than with the driver's own query, inserting one 3 % less, inserting 16 alerts 5 % less.
 */
import pg from 'pg'
import { arrayLiteral } from './array-literal.ts'

export type RawQuery = {
  readonly name?: string
  /** What a query is called that is planned for its values and has no name in PostgreSQL. */
  readonly label?: string
  readonly text: string
  readonly values: readonly unknown[]
}
export type RawRow = readonly (string | null)[]

const parameter = (value: unknown): unknown => (Array.isArray(value) ? arrayLiteral(value) : value)

export class WireQuery extends pg.Query {
  /** The rows; complete when the driver calls back. */
  readonly received: RawRow[] = []

  constructor({ name, text, values }: RawQuery, done?: (fault: Error | null | undefined) => void) {
    super({ ...(name === undefined ? {} : { name }), text, values: values.map(parameter) }, done)
  }

  handleRowDescription(): void {}

  handleDataRow(row: { readonly fields: RawRow }): void {
    this.received.push(row.fields)
  }

  handleCommandComplete(): void {}
}
