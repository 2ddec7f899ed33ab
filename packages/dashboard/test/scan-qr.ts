/** Reads the QR code of a picture from its pixels, as the camera of a phone does. */
import type { Locator, Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'

/** The text of a QR code on a page. */
export const scanQr = async (picture: Locator): Promise<string> =>
  // The parent element includes the white margin around the code, which the decoder needs.
  scanPng(picture.page(), await picture.locator('xpath=..').screenshot())

/** The text of a QR code in a PNG file. Throws if no code is found. `page`: any page; its browser decodes the file. */
export const scanPng = async (page: Page, png: Buffer): Promise<string> => {
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    // A large file is drawn smaller: its pixels are sent to the test as text.
    const scale = Math.min(1, 600 / Math.max(image.width, image.height))
    const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)]
    const canvas = new OffscreenCanvas(width, height).getContext('2d')!
    canvas.drawImage(image, 0, 0, width, height)
    return { width, height, pixels: Array.from(canvas.getImageData(0, 0, width, height).data) }
  }, png.toString('base64'))
  // The time limit is meant for the pictures of a camera; a busy machine needs longer.
  return decodeQR({ width, height, data: Uint8Array.from(pixels) }, { format: 'RGBA', timeLimit: 10_000 })
}
