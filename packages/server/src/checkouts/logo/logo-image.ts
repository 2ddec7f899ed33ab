/**
 * Checks a picture that a merchant uploads as the logo of the shop, by its bytes alone: PNG, JPEG or WebP, small, one frame. The
 * result contains only the parts that a browser needs to draw it: no metadata, no comment, nothing after its end. Pure.
 */
import { cleanJpeg } from './jpeg.ts'
import type { Clean, Picture } from './picture.ts'
import { cleanPng } from './png.ts'
import { cleanWebp } from './webp.ts'

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

export type LogoImage = Picture & { readonly type: LogoType }

/** With this limit the page with its logo stays under 20 kB, for slow connections. */
export const mostLogo_bytes = 10_240
export const mostLogo_px = 512

/** Why a picture is refused. `kind`: not one of the three formats, or broken, or animated. */
export type LogoFault = 'kind' | 'bytes' | 'pixels'

const formats: readonly (readonly [LogoType, Clean])[] = [
  ['image/png', cleanPng],
  ['image/jpeg', cleanJpeg],
  ['image/webp', cleanWebp],
]

export const readLogo = (sent: Buffer): LogoImage | LogoFault => {
  if (sent.length > mostLogo_bytes) return 'bytes'
  for (const [type, clean] of formats) {
    const image = clean(sent)
    if (image === undefined) continue
    const { width, height } = image
    if (width < 1 || height < 1) return 'kind'
    return width > mostLogo_px || height > mostLogo_px ? 'pixels' : { type, ...image }
  }
  return 'kind'
}
