/**
 * A question to PostgreSQL without what we never need. The columns of an answer are known to the statement that asks (a
 * test holds them against the database), so they are not described with every answer: two dozen names and types cost
 * PostgreSQL and us as much as some rows do. Rows stay the text they came as, in the order of the columns.
 *
 * Everything else of the protocol is the driver's. It knows these methods of its questions by their names; that it still
 * does is tried by every story.
 */
import pg from 'pg'

export type RawQuery = { readonly name?: string; readonly text: string; readonly values: readonly unknown[] }
export type RawRow = readonly (string | null)[]

export class WireQuery extends pg.Query {
  /** What has come, whole when the driver calls back. */
  readonly received: RawRow[] = []

  constructor({ name, text, values }: RawQuery, done?: (fault: Error | null | undefined) => void) {
    super({ ...(name === undefined ? {} : { name }), text, values: values as unknown[] }, done)
  }

  handleRowDescription(): void {}

  handleDataRow(row: { readonly fields: RawRow }): void {
    this.received.push(row.fields)
  }

  handleCommandComplete(): void {}
}

/** For a connection on which nothing else is asked with values. */
export const withoutDescriptions = (client: pg.Client): void => {
  Object.assign((client as unknown as { readonly connection: object }).connection, { describe: () => {} })
}
