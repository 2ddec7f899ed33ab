/** What a picture of columns is drawn from. */
export type Column = {
  readonly key: string
  /** Under the column. */
  readonly label: string
  /** The whole name, for a table and for screen readers. */
  readonly name: string
  /** A number for each series, as exact decimal text. */
  readonly values: readonly string[]
}

export type Line = { readonly name: string; readonly values: readonly string[] }

export type ColumnsProps = {
  readonly label: string
  readonly columns: readonly Column[]
  readonly series: readonly string[]
  readonly line?: Line | undefined
  /** A number as it is shown. */
  readonly format: (value: string) => string
  /** The number at the axis, short. */
  readonly axis: (value: number) => string
  readonly chosen?: string | undefined
  readonly choose?: ((key: string) => void) | undefined
}
