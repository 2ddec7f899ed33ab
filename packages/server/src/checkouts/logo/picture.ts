/** A picture and its size, as the readers of the three formats return it. Pure. */
export type Picture = { readonly width: number; readonly height: number; readonly bytes: Buffer }

/** Removes what is not needed to draw the picture. Undefined: the picture is not of this format, or broken. */
export type Clean = (bytes: Buffer) => Picture | undefined
