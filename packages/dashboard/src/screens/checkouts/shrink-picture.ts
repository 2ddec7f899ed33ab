/**
 * Shrinks a picture of any size to a logo that the service accepts: at most 10,240 bytes, so that the buyer's page stays
 * small. The browser reads the picture and draws it again, which also removes metadata.
 */
const most_bytes = 10_240
const sides_px = [256, 192, 128, 96, 64, 48]

const drawAt = (picture: ImageBitmap, side: number): Promise<Blob | null> => {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  // A browser that cannot write WebP writes PNG.
  return new Promise((done) => canvas.toBlob(done, 'image/webp', 0.85))
}

const asBase64 = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes in base64; undefined: the file is no picture that this browser can read. */
export const shrinkPicture = async (file: Blob): Promise<string | undefined> => {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return undefined
  for (const side of sides_px) {
    const blob = await drawAt(picture, side)
    if (blob !== null && blob.size > 0 && blob.size <= most_bytes) return asBase64(blob)
  }
  return undefined
}
