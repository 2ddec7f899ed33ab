/** A picture and its size, as the readers of the three formats return it. Pure. */
export type Picture = { readonly width: number; readonly height: number; readonly bytes: Buffer }

/** The picture without what is not needed to draw it; undefined: not of this format. */
export type Clean = (bytes: Buffer) => Picture | undefined
