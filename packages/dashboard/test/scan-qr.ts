/** Reads the QR code of a picture on a page from its pixels, as the camera of a phone does. */
import type { Locator } from 'playwright-core'
import decodeQR from 'qr/decode.js'

/** What the code says. It throws if no code is found, or if it cannot be read. */
export const scanQr = async (picture: Locator): Promise<string> => {
  // The picture and the white around it.
  const png = (await picture.locator('xpath=..').screenshot()).toString('base64')
  const { width, height, pixels } = await picture.page().evaluate(async (sent) => {
    const bytes = Uint8Array.from(atob(sent), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const drawn = new OffscreenCanvas(image.width, image.height).getContext('2d')!
    drawn.drawImage(image, 0, 0)
    const { data } = drawn.getImageData(0, 0, image.width, image.height)
    return { width: image.width, height: image.height, pixels: Array.from(data) }
  }, png)
  // The time limit is meant for the pictures of a camera; a busy machine needs longer.
  return decodeQR({ width, height, data: Uint8Array.from(pixels) }, { format: 'RGBA', timeLimit: 10_000 })
}
